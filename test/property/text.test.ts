import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {canonicalJson} from '../../src/core/json.js';
import {cleanInjected} from '../../src/text/clean.js';
import {codePointLength, cutCodePoints, pointIndex, sliceCodePoints, unitIndex} from '../../src/text/code-points.js';
import {comparisonForm, oneLine} from '../../src/text/normalize.js';
import {sentences, splitToFit} from '../../src/text/pieces.js';
import {findQuote} from '../../src/text/quotes.js';
import {tokenize} from '../../src/text/tokens.js';
import {SEED} from './builders.js';

const PIECES = [
	'睡不着',
	'。',
	'！',
	'”',
	'v2.1',
	'Mr. X',
	' ',
	'\n',
	'\n\n',
	'　',
	'😀',
	'𠮷',
	'tea',
	'. ',
	'…',
	'\u2028',
	'a',
];
const text = fc.oneof(
	fc.array(fc.constantFrom(...PIECES), {maxLength: 30}).map(list => list.join('')),
	fc.string({unit: 'binary', maxLength: 60}),
);
const options = {seed: SEED, numRuns: 1000};
const points = (value: string) => Array.from(value);

describe('code points', () => {
	test('are counted, cut and found as Array.from sees them, lone surrogates included', () => {
		const units = fc.array(fc.constantFrom('a', '睡', '\ud83d', '\ude00'), {maxLength: 12}).map(list => list.join(''));
		fc.assert(
			fc.property(units, fc.nat({max: 14}), fc.nat({max: 14}), (value, from, to) => {
				expect(codePointLength(value)).toBe(points(value).length);
				const [start, end] = [Math.min(from, to), Math.max(from, to)];
				expect(sliceCodePoints(value, start, end)).toBe(points(value).slice(start, end).join(''));
				expect(unitIndex(value, start)).toBe(points(value).slice(0, start).join('').length);
				expect(pointIndex(value, unitIndex(value, start))).toBe(Math.min(start, points(value).length));
			}),
			options,
		);
	});

	test('a cut text is never longer than allowed and says that it was cut', () => {
		fc.assert(
			fc.property(text, fc.integer({min: 1, max: 20}), (value, max) => {
				const cut = cutCodePoints(value, max);
				expect(codePointLength(cut)).toBeLessThanOrEqual(max);
				if (codePointLength(value) <= max) expect(cut).toBe(value);
				else expect(value.startsWith(cut.slice(0, -1)) && cut.endsWith('…')).toBe(true);
			}),
			options,
		);
	});
});

describe('sentences', () => {
	test('hold every character that is not white space, in order, without overlap and without white space at their edges', () => {
		fc.assert(
			fc.property(text, value => {
				const spans = sentences(value);
				let last = 0;
				for (const {start, end} of spans) {
					expect(start).toBeGreaterThanOrEqual(last);
					expect(end).toBeGreaterThan(start);
					expect(sliceCodePoints(value, last, start).trim()).toBe('');
					const piece = sliceCodePoints(value, start, end);
					expect(piece).toBe(piece.trim());
					last = end;
				}
				expect(points(value).slice(last).join('').trim()).toBe('');
			}),
			options,
		);
	});

	test('can each be found in their text word for word', () => {
		fc.assert(
			fc.property(text, value => {
				for (const {start, end} of sentences(value)) {
					const {verification, span} = findQuote(value, sliceCodePoints(value, start, end));
					expect(verification).toBe('exact');
					expect(span!.start).toBeLessThanOrEqual(start);
				}
			}),
			options,
		);
	});
});

test('splitToFit covers the text without gap or overlap, each stretch within the limit', () => {
	fc.assert(
		fc.property(text, fc.integer({min: 1, max: 25}), (value, max) => {
			let last = 0;
			for (const {start, end} of splitToFit(value, max)) {
				expect(start).toBe(last);
				expect(end - start).toBeLessThanOrEqual(max);
				if (value !== '') expect(end).toBeGreaterThan(start);
				last = end;
			}
			expect(last).toBe(codePointLength(value));
		}),
		options,
	);
});

describe('findQuote', () => {
	const spanText = (value: string, span: {start: number; end: number}) => sliceCodePoints(value, span.start, span.end);

	test('finds any stretch of a text that is not white space, at its first place, in code points', () => {
		fc.assert(
			fc.property(text, fc.nat({max: 40}), fc.integer({min: 1, max: 12}), (value, from, length) => {
				const quote = sliceCodePoints(value, from, from + length);
				if (quote.trim() === '') {
					expect(findQuote(value, quote)).toEqual({verification: 'none', span: null});
					return;
				}
				const {verification, span} = findQuote(value, quote);
				expect(verification).toBe('exact');
				expect(spanText(value, span!)).toBe(quote);
				const all = points(value)
					.map((_, i) => i)
					.filter(i => sliceCodePoints(value, i, i + codePointLength(quote)) === quote);
				expect(span!.start).toBe(all[0]);
				// Each further beat of the card takes the next place that is free; when none is, the first.
				const taken = [];
				for (const start of all) {
					expect(findQuote(value, quote, taken).span!.start).toBe(start);
					taken.push({start, end: start + codePointLength(quote)});
				}
				expect(findQuote(value, quote, taken).span!.start).toBe(all[0]);
			}),
			options,
		);
	});

	test("folding changes nothing but white space: the span is the source's own words", () => {
		const squeeze = (value: string) => value.replace(/\s/gu, '');
		fc.assert(
			fc.property(text, text, (value, quote) => {
				const {verification, span} = findQuote(value, quote);
				expect(span === null).toBe(verification === 'none');
				if (!span) return;
				const source = spanText(value, span);
				expect(squeeze(source)).toBe(squeeze(quote));
				if (verification === 'whitespace') {
					expect(source).not.toBe(quote);
					expect(source).toBe(source.trim());
				}
			}),
			options,
		);
	});

	test('any other spacing of a stretch is found, and one changed character is not', () => {
		fc.assert(
			fc.property(text, fc.nat({max: 30}), fc.integer({min: 1, max: 12}), (value, from, length) => {
				const quote = sliceCodePoints(value, from, from + length);
				if (quote.trim() === '') return;
				const spaced = points(quote).join(' ');
				expect(findQuote(value, spaced).verification).not.toBe('none');
				expect(findQuote(value, `${quote}\u{10FFFD}`).verification).toBe('none');
			}),
			options,
		);
	});
});

test('canonical JSON is the same whatever the order of keys, and reads back as the value', () => {
	const reverse = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(reverse);
		if (value === null || typeof value !== 'object') return value;
		return Object.fromEntries(
			Object.entries(value)
				.reverse()
				.map(([key, item]) => [key, reverse(item)]),
		);
	};
	fc.assert(
		fc.property(fc.jsonValue({maxDepth: 4}), value => {
			const json = canonicalJson(value);
			expect(canonicalJson(reverse(value))).toBe(json);
			expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
			expect(canonicalJson(JSON.parse(JSON.stringify(value)))).toBe(json);
		}),
		options,
	);
});

test('normalising twice is normalising once', () => {
	fc.assert(
		fc.property(text, value => {
			expect(oneLine(oneLine(value))).toBe(oneLine(value));
			expect(oneLine(value)).not.toMatch(/[\n\r\u2028\u2029\t]/u);
			expect(comparisonForm(comparisonForm(value))).toBe(comparisonForm(value));
			expect(cleanInjected(cleanInjected(value))).toBe(cleanInjected(value));
		}),
		options,
	);
});

test('tokens do not depend on case, width or what stands around a space', () => {
	fc.assert(
		fc.property(text, text, (a, b) => {
			expect(tokenize(`${a} \n ${b}`)).toEqual([...tokenize(a), ...tokenize(b)]);
			expect(tokenize(a.normalize('NFKC'))).toEqual(tokenize(a));
		}),
		options,
	);
});
