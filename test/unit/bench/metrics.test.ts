import {expect, test} from 'vitest';
import {intervalOf, type Judged, metricsOf} from '../../../src/bench/metrics.js';
import {foldOf} from '../../../src/bench/set.js';
import {seededRandom} from '../../../src/core/seeded-random.js';

const query = (gold: string[], ranked: string[], group = 'g'): Judged => ({
	gold,
	ranked,
	shownChars: ranked.map((_, i) => (i + 1) * 600),
	group,
});

test('the figures of two questions, worked by hand', () => {
	// First: evidence at ranks 1 and 7 of 8. Second: one of two found, at rank 3.
	const one = query(['a', 'g'], ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
	const two = query(['x', 'y'], ['p', 'q', 'x']);
	const {recall, budget, mrr, ndcg10, queries} = metricsOf([one, two]);
	expect(queries).toBe(2);
	expect(recall).toEqual({'5': 0.5, '20': 0.75, pool: 0.75});
	// 1000 characters show one message, 4000 show six: the seventh ends at 4200.
	expect(budget).toEqual({'1000': 0.25, '4000': 0.5, '16000': 0.75});
	expect(mrr).toBe(0.6667);
	const ideal = 1 + 1 / Math.log2(3);
	const expected = ((1 + 1 / Math.log2(8)) / ideal + 1 / Math.log2(4) / ideal) / 2;
	expect(ndcg10).toBeCloseTo(expected, 4);
});

test('nothing found, everything found, and no question at all', () => {
	expect(metricsOf([query(['a'], [])])).toMatchObject({recall: {'5': 0, '20': 0, pool: 0}, mrr: 0, ndcg10: 0});
	expect(metricsOf([query(['a'], ['a'])])).toMatchObject({recall: {'5': 1, '20': 1, pool: 1}, mrr: 1, ndcg10: 1});
	expect(metricsOf([])).toMatchObject({queries: 0, recall: {'5': 0, '20': 0, pool: 0}});
});

test('the interval resamples conversations: it is a point for one, wide for few, and the same for the same seed', () => {
	const good = query(['a'], ['a']);
	const bad = query(['a'], ['b']);
	expect(intervalOf([good, bad], seededRandom('s'))).toEqual([0.5, 0.5]);
	const groups = ['k', 'l', 'm', 'n'].flatMap((group, i) => [{...(i % 2 ? good : bad), group}]);
	const [low, high] = intervalOf(groups, seededRandom('s'));
	expect([low, high]).toEqual([0, 1]);
	expect(intervalOf(groups, seededRandom('s'))).toEqual([low, high]);
});

test('folds are fixed by the id alone', () => {
	expect(['locomo:conv-26', 'memdaily:00', 'prefeval:00', 'x', 'y'].map(foldOf)).toMatchInlineSnapshot(`
		[
		  "a",
		  "b",
		  "a",
		  "b",
		  "a",
		]
	`);
});
