/** How a stage tells what it does. Nothing of it reaches stdout. */
export interface Progress {
	/** Starts a bar; `total` null when it is not known. */
	start(label: string, total: number | null): void;
	/** Counts units done. */
	advance(units?: number): void;
	stop(): void;
	/** A line for the person, such as which embedder was taken. */
	note(text: string): void;
}

/** Says nothing: for tests and --quiet. */
export const silentProgress: Progress = {start() {}, advance() {}, stop() {}, note() {}};
