import fc from 'fast-check';
import {expect, test} from 'vitest';
import {SHORTLIST_MAX} from '../../src/stages/shortlist/constants.js';
import {baselineShortlister, eventDedupe, validIds, windowDedupe} from '../../src/stages/shortlist/shortlist.js';
import {SEED} from './builders.js';

const id: fc.Arbitrary<string> = fc.constantFrom('c_a', 'c_b', 'c_c', 'c_d', 'c_e', 'c_f');
const ids = fc.uniqueArray(id);
const options = {seed: SEED, numRuns: 500};

const isSubsequence = (part: readonly string[], whole: readonly string[]): boolean => {
	let at = 0;
	for (const item of whole) if (item === part[at]) at++;
	return at === part.length;
};

test("an answer keeps the model's order and loses unknown ids, repeats and all beyond three", () => {
	fc.assert(
		fc.property(fc.array(fc.oneof(id, fc.string())), ids, (answer, known) => {
			const kept = validIds(answer, new Set(known), SHORTLIST_MAX);
			const good = answer.filter((item, i) => known.includes(item) && answer.indexOf(item) === i);
			expect(kept).toEqual(good.slice(0, 3));
		}),
		options,
	);
});

test('window dedupe takes out what the window was given, unless nothing would be left', () => {
	fc.assert(
		fc.property(ids, ids, (choice, delivered) => {
			const left = windowDedupe(choice, new Set(delivered));
			const fresh = choice.filter(item => !delivered.includes(item));
			expect(left).toEqual(fresh.length > 0 ? fresh : choice);
			expect(left.length === 0).toBe(choice.length === 0);
		}),
		options,
	);
});

const sources = fc.dictionary(
	id,
	fc.uniqueArray(
		fc.integer({min: 0, max: 6}).map(n => `m_${n}`),
		{maxLength: 5},
	),
);
const share = (a: readonly string[], b: readonly string[]): number =>
	a.length === 0 || b.length === 0 ? 0 : a.filter(item => b.includes(item)).length / Math.min(a.length, b.length);

test('event dedupe keeps the order and the first, and no two that share half of the smaller one', () => {
	fc.assert(
		fc.property(ids, sources, (choice, of) => {
			const kept = eventDedupe(choice, item => new Set(of[item] ?? []));
			expect(isSubsequence(kept, choice)).toBe(true);
			expect(kept[0]).toBe(choice[0]);
			for (const [i, a] of kept.entries()) {
				for (const b of kept.slice(i + 1)) expect(share(of[a] ?? [], of[b] ?? [])).toBeLessThan(0.5);
			}
			// What went shares half with one that stayed and stands before it.
			for (const gone of choice.filter(item => !kept.includes(item))) {
				const before = kept.filter(item => choice.indexOf(item) < choice.indexOf(gone));
				expect(before.some(item => share(of[item] ?? [], of[gone] ?? []) >= 0.5)).toBe(true);
			}
		}),
		options,
	);
});

test('without a model the best of the order are taken, never more than allowed', () =>
	fc.assert(
		fc.asyncProperty(ids, fc.integer({min: 1, max: 5}), async (order, max) => {
			const answer = await baselineShortlister(max).shortlist({target: '', lines: [], order});
			expect(answer).toEqual({ok: true, value: order.slice(0, max)});
		}),
		options,
	));
