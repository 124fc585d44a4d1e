import {describe, expect, test} from 'vitest';
import {hashedEmbedder} from '../../../src/embedders/hashed.js';
import {dotRows, roundScore, spreadOf, toMatrix} from '../../../src/search/vectors.js';

describe('matrices', () => {
	test('give the dot product of a query with every row, whatever is left over from blocks of four', () => {
		for (const dim of [1, 3, 4, 5, 8, 11]) {
			const rows = [1, 2, 3].map(row => Float32Array.from({length: dim}, (_, i) => row + i / 8));
			const query = Float32Array.from({length: dim}, (_, i) => 1 - i / 4);
			const scores = dotRows(toMatrix(rows, dim), query);
			rows.forEach((row, n) => {
				expect(scores[n]).toBeCloseTo(
					row.reduce((sum, value, i) => sum + value * query[i]!, 0),
					10,
				);
			});
		}
		expect([...dotRows(toMatrix([], 4), new Float32Array(4))]).toEqual([]);
	});

	test("a row's score does not depend on the other rows", () => {
		const rows = Array.from({length: 20}, (_, n) => Float32Array.from({length: 7}, (_v, i) => Math.sin(n * 7 + i)));
		const query = Float32Array.from({length: 7}, (_, i) => Math.cos(i));
		const all = dotRows(toMatrix(rows, 7), query);
		rows.forEach((row, n) => {
			expect(dotRows(toMatrix([row], 7), query)[0]).toBe(all[n]);
		});
	});

	test('refuse a vector of another length', () => {
		expect(() => toMatrix([new Float32Array(3), new Float32Array(4)], 3)).toThrow('vector 1 has 4 numbers, not 3');
	});
});

test('mean and deviation are over the visible rows alone, and nothing is divided by zero', () => {
	expect(spreadOf(Float64Array.of(1, 3, 1e9), [0, 1])).toEqual({mean: 2, deviation: 1});
	expect(spreadOf(Float64Array.of(5, 5), [0, 1])).toEqual({mean: 5, deviation: 1});
	expect(spreadOf(Float64Array.of(5), [])).toEqual({mean: 0, deviation: 1});
});

test('scores are rounded to six decimals', () => {
	expect([roundScore(0.123456499), roundScore(-0.1234565), roundScore(1)]).toEqual([0.123456, -0.123456, 1]);
});

test('the embedder for tests gives unit vectors, the same for a text in any company, and zero for no words', async () => {
	const [alone] = await hashedEmbedder().embed(['晚上那杯浓茶']);
	const [, among, none] = await hashedEmbedder().embed(['tea', '晚上那杯浓茶', '😀']);
	expect(among).toEqual(alone);
	expect(alone!.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 6);
	expect(none!.every(value => value === 0)).toBe(true);
});
