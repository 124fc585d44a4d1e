/** Seeded randomness; the only source of it. */
export interface Random {
	/** The next number, 0 inclusive to 1 exclusive. */
	next(): number;
	/** A stream of its own, so that a new draw in one place moves no other. */
	fork(label: string): Random;
}
