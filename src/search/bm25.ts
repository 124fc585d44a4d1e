/** BM25's usual constants (Robertson and Zaragoza 2009, section 3.5). */
export const BM25_K1 = 1.2;
export const BM25_B = 0.75;

interface Posting {
	readonly row: number;
	readonly count: number;
}

/**
 * BM25 over rows of tokens. Document frequencies and the mean length are taken over the rows that are visible to a
 * query, since counts over later rows would let the future leak in.
 */
export class Bm25 {
	readonly #postings = new Map<string, Posting[]>();
	readonly #lengths: number[] = [];

	/** @param rows tokens of each row, with repeats */
	constructor(rows: Iterable<readonly string[]>) {
		let row = 0;
		for (const tokens of rows) {
			const counts = new Map<string, number>();
			for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
			for (const [token, count] of counts) {
				const list = this.#postings.get(token);
				if (list) list.push({row, count});
				else this.#postings.set(token, [{row, count}]);
			}
			this.#lengths.push(tokens.length);
			row++;
		}
	}

	/**
	 * Scores of the rows that share a token with the query.
	 * @param isVisible 1 for rows that may be seen
	 * @returns one score a row, 0 where nothing is shared or the row is not visible
	 */
	score(query: readonly string[], isVisible: Uint8Array): Float64Array {
		const scores = new Float64Array(this.#lengths.length);
		const {rows, meanLength} = this.#visibleLengths(isVisible);
		for (const token of new Set(query)) {
			const list = this.#postings.get(token)?.filter(({row}) => isVisible[row] === 1) ?? [];
			if (list.length === 0) continue;
			const weight = idf(list.length, rows);
			for (const {row, count} of list) {
				const norm = BM25_K1 * (1 - BM25_B + (BM25_B * this.#lengths[row]!) / meanLength);
				scores[row]! += (weight * count * (BM25_K1 + 1)) / (count + norm);
			}
		}
		return scores;
	}

	/** Weight of each distinct query token by how rare it is among visible rows; a token that no row has weighs most. */
	weights(query: readonly string[], isVisible: Uint8Array): Map<string, number> {
		const {rows} = this.#visibleLengths(isVisible);
		const weights = new Map<string, number>();
		for (const token of new Set(query)) {
			const frequency = this.#postings.get(token)?.filter(({row}) => isVisible[row] === 1).length ?? 0;
			weights.set(token, idf(frequency, rows));
		}
		return weights;
	}

	#visibleLengths(isVisible: Uint8Array): {rows: number; meanLength: number} {
		let rows = 0;
		let sum = 0;
		for (let row = 0; row < this.#lengths.length; row++) {
			if (isVisible[row] !== 1) continue;
			rows++;
			sum += this.#lengths[row]!;
		}
		return {rows, meanLength: rows === 0 ? 1 : Math.max(1, sum / rows)};
	}
}

/** Never negative: ln(1 + (N − n + 0.5) / (n + 0.5)). */
const idf = (frequency: number, rows: number): number => Math.log(1 + (rows - frequency + 0.5) / (frequency + 0.5));
