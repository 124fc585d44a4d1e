import fc from 'fast-check';
import {expect, test} from 'vitest';
import {BM25_B, BM25_K1, Bm25} from '../../src/search/bm25.js';
import {SEED} from './builders.js';

const token = fc.constantFrom('茶', '睡不', '不着', 'tea', 'berlin', 'v2.1', 'constructor', '__proto__');
const rows = fc.array(fc.array(token, {maxLength: 8}), {maxLength: 12});
const query = fc.array(token, {maxLength: 6});
const options = {seed: SEED, numRuns: 500};

/** The formula once more, straight from the paper, over the visible rows alone. */
function naive(texts: readonly (readonly string[])[], terms: readonly string[]): number[] {
	const mean = Math.max(1, texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length));
	return texts.map(text => {
		let score = 0;
		for (const term of new Set(terms)) {
			const frequency = text.filter(word => word === term).length;
			const documents = texts.filter(other => other.includes(term)).length;
			const idf = Math.log(1 + (texts.length - documents + 0.5) / (documents + 0.5));
			score += (idf * frequency * (BM25_K1 + 1)) / (frequency + BM25_K1 * (1 - BM25_B + (BM25_B * text.length) / mean));
		}
		return score;
	});
}

const masked = fc.tuple(rows, fc.infiniteStream(fc.boolean())).map(([list, bits]) => ({
	list,
	mask: Uint8Array.from(list, () => (bits.next().value ? 1 : 0)),
}));

test('scores are those of the formula over the visible rows alone', () => {
	fc.assert(
		fc.property(masked, query, ({list, mask}, terms) => {
			const scores = new Bm25(list).score(terms, mask);
			const expected = naive(
				list.filter((_, row) => mask[row] === 1),
				terms,
			);
			const visible = [...scores].filter((_, row) => mask[row] === 1);
			expect(visible.length).toBe(expected.length);
			visible.forEach((score, i) => {
				expect(score).toBeCloseTo(expected[i]!, 10);
			});
			for (const [row, score] of scores.entries()) if (mask[row] !== 1) expect(score).toBe(0);
		}),
		options,
	);
});

test('rows that cannot be seen change no score and no weight by a single bit', () => {
	fc.assert(
		fc.property(rows, rows, query, (seen, unseen, terms) => {
			const alone = new Bm25(seen);
			const mixed = new Bm25([...seen, ...unseen]);
			const all = new Uint8Array(seen.length).fill(1);
			const mask = Uint8Array.from([...seen, ...unseen], (_, row) => (row < seen.length ? 1 : 0));
			expect([...mixed.score(terms, mask)].slice(0, seen.length)).toEqual([...alone.score(terms, all)]);
			expect([...mixed.weights(terms, mask)]).toEqual([...alone.weights(terms, all)]);
		}),
		options,
	);
});

test('a rarer token weighs no less, and one that no row has weighs most', () => {
	const bm25 = new Bm25([['tea', '茶'], ['tea'], ['tea', '茶', 'berlin']]);
	const weights = bm25.weights(['tea', '茶', 'berlin', 'nowhere'], Uint8Array.of(1, 1, 1));
	const order = [...weights].sort(([, a], [, b]) => b - a).map(([name]) => name);
	expect(order).toEqual(['nowhere', 'berlin', '茶', 'tea']);
	for (const weight of weights.values()) expect(weight).toBeGreaterThan(0);
});
