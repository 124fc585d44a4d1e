/** Rows of equal length in one block, row-major. A row of length 1 makes a dot product a cosine. */
export interface Matrix {
	readonly dim: number;
	readonly rows: number;
	readonly values: Float32Array;
}

/** @throws when a vector has another length than the first */
export function toMatrix(vectors: readonly Float32Array[], dim: number): Matrix {
	const values = new Float32Array(vectors.length * dim);
	vectors.forEach((vector, row) => {
		if (vector.length !== dim) throw new Error(`vector ${row} has ${vector.length} numbers, not ${dim}`);
		values.set(vector, row * dim);
	});
	return {dim, rows: vectors.length, values};
}

/**
 * Dot product of one query with every row, in double precision and a fixed order of summation: the same numbers on
 * every machine.
 * @param query length `dim`
 */
export function dotRows({dim, rows, values}: Matrix, query: Float32Array): Float64Array {
	const scores = new Float64Array(rows);
	for (let row = 0; row < rows; row++) {
		const offset = row * dim;
		let [a, b, c, d] = [0, 0, 0, 0];
		let i = 0;
		for (; i + 3 < dim; i += 4) {
			a += values[offset + i]! * query[i]!;
			b += values[offset + i + 1]! * query[i + 1]!;
			c += values[offset + i + 2]! * query[i + 2]!;
			d += values[offset + i + 3]! * query[i + 3]!;
		}
		for (; i < dim; i++) a += values[offset + i]! * query[i]!;
		scores[row] = a + b + (c + d);
	}
	return scores;
}

/** Scores are rounded before they are compared or shown, so that the last bits of a kernel cannot change an order. */
export const roundScore = (score: number): number => Math.round(score * 1e6) / 1e6;

/** Mean and standard deviation of some scores; deviation 1 where all are equal, so that nothing is divided by zero. */
export function spreadOf(
	scores: Float64Array,
	visible: readonly number[],
): {readonly mean: number; readonly deviation: number} {
	if (visible.length === 0) return {mean: 0, deviation: 1};
	let sum = 0;
	for (const row of visible) sum += scores[row]!;
	const mean = sum / visible.length;
	let squares = 0;
	for (const row of visible) squares += (scores[row]! - mean) ** 2;
	return {mean, deviation: Math.sqrt(squares / visible.length) || 1};
}
