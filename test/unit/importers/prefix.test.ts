import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {DEPTH_MAX, layoutOf, parsePrefix} from '../../../src/importers/prefix.js';

const SEED = {seed: 42, numRuns: 300};

describe('parsePrefix', () => {
	test('equals JSON.parse on whole texts', () => {
		fc.assert(
			fc.property(fc.json({maxDepth: 6}), text => {
				const {value, state, end} = parsePrefix(text, {whole: true});
				expect(state).toBe('complete');
				expect(end).toBe(text.trimEnd().length);
				expect(value).toEqual(JSON.parse(text));
			}),
			SEED,
		);
	});

	test('never throws at any cut, and complete leading elements equal those of JSON.parse', () => {
		fc.assert(
			fc.property(fc.array(fc.jsonValue({maxDepth: 5})), fc.nat(), fc.constantFrom(0, 2), (items, at, indent) => {
				const text = JSON.stringify(items, null, indent);
				const parsed = parsePrefix(text.slice(0, at % (text.length + 1)));
				const kept = Array.isArray(parsed.value) ? parsed.value : [];
				expect(parsed.state).not.toBe('broken');
				expect(kept.slice(0, parsed.completeItems)).toEqual(JSON.parse(text).slice(0, parsed.completeItems));
				expect(kept.length - parsed.completeItems).toBeLessThanOrEqual(1);
			}),
			SEED,
		);
	});

	test('never throws on any text', () => {
		fc.assert(
			fc.property(fc.string({unit: fc.constantFrom(...'{}[]",:\\u0123tfn-.eE \n\u0000😀')}), text => {
				parsePrefix(text);
				layoutOf(text, false);
			}),
			SEED,
		);
	});

	test('closes what a cut leaves open and keeps the start of a string', () => {
		expect(parsePrefix('{"a":[1,{"b":"你好\\u4f').value).toEqual({a: [1, {b: '你好'}]});
		expect(parsePrefix('[12, 3').value).toEqual([12]);
		expect(parsePrefix('[{"x":tru').value).toEqual([{}]);
	});

	test('names the place of what does not fit', () => {
		expect(parsePrefix('{"a":1,}', {whole: true})).toMatchObject({state: 'broken', end: 7});
		expect(parsePrefix('[1 2]', {whole: true})).toMatchObject({state: 'broken', end: 3});
	});

	test('stops at a depth instead of running out of stack', () => {
		const text = '['.repeat(200_000);
		expect(parsePrefix(text)).toMatchObject({state: 'broken', end: DEPTH_MAX});
	});

	test('keeps a member called __proto__ a member', () => {
		const {value} = parsePrefix('{"__proto__":{"x":1}}', {whole: true});
		expect(Object.keys(value as object)).toEqual(['__proto__']);
		expect(({} as {x?: number}).x).toBeUndefined();
	});
});

describe('layoutOf', () => {
	test.each([
		['an array', '[{"a":1},{"a":2}]', 'array'],
		['a pretty array', JSON.stringify([{a: 1}, {a: 2}], null, 2), 'array'],
		['an object', '{"a":1}\n', 'object'],
		['a pretty object', JSON.stringify({a: {b: [1, {c: 2}]}}, null, '\t'), 'object'],
		['lines', '{"a":1}\n{"a":2}\n', 'lines'],
		['lines with CRLF, blank lines and a BOM', '\uFEFF{"a":1}\r\n\r\n\uFEFF{"a":2}\r\n', 'lines'],
		['lines of which the first is cut', '{"a":1,"b\n{"a":2}\n{"a":3}\n', 'lines'],
		['a pretty array with a trailing comma', '[\n{"a":1},\n{"a":2},\n{"a":3},\n]', 'array'],
		['a broken object', '{\n"a": 1,\n"b": oops\n}', 'object'],
		['text', '## User\nhello', 'text'],
		['nothing', '', 'text'],
	])('%s', (_name, text, shape) => {
		expect(layoutOf(text, true).shape).toBe(shape);
	});

	test('an object that the sample cuts may turn out to be the first of many lines', () => {
		expect(layoutOf('{"messages":[{"role":"user","content":"x', false)).toMatchObject({
			shape: 'object',
			mayBeLines: true,
		});
		expect(layoutOf('{\n "messages":[{"role"', false)).toMatchObject({shape: 'object', mayBeLines: false});
	});
});
