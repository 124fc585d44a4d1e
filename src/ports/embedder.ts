/** Turns texts into vectors. Vectors of different fingerprints are never compared. */
export interface Embedder {
	/** The name that `--embedder` takes. */
	readonly name: string;
	/** Model, revision or file hash, precision, pooling, prefix, text preparation, dimension: all that shapes a vector. */
	readonly fingerprint: string;
	readonly dim: number;
	/**
	 * One vector of length 1 a text, in order; a text without any known token gives the zero vector.
	 * The result for a text does not depend on the others in the call.
	 */
	embed(texts: readonly string[]): Promise<Float32Array[]>;
	/** How many of the texts embedded so far were longer than the model reads, and so were cut. */
	readonly truncated: number;
}
