/** 0 done, 3 done in part, 4 a check found differences, 130 interrupted (what was finished is kept). */
export type ServiceExit = 0 | 3 | 4 | 130;

/** What a service hands to its command. */
export interface ServiceResult {
	/** Members of the --json object, besides ok, command and seconds. */
	readonly json: Readonly<Record<string, unknown>>;
	/** The summary for people. */
	readonly text: string;
	readonly exit: ServiceExit;
}
