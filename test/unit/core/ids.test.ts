import {describe, expect, test} from 'vitest';
import {contentId, sha256, shaOf} from '../../../src/core/ids.js';
import {canonicalJson, compareStrings} from '../../../src/core/json.js';

describe('contentId', () => {
	// These ids stand in people's files: a change here orphans every row that they made.
	test.each([
		[contentId('m', 'claude', 'conv-1', 'msg-1'), 'm_3a82bcbca4b9b5fa'],
		[contentId('w', 'k_1', 'v_1', '2026-01-10', [['m_1', 0, 4, '睡不着😀', false]]), 'w_9ebccefc26f03f62'],
		[
			contentId('c', 'k_1', 'w_1', 0, [
				['m_1', '睡不着'],
				[null, 'x'],
			]),
			'c_a809bd0d090c38d0',
		],
		[contentId('x', 'a'.repeat(64), 'm_1', ['time', 1_767_000_000_000_000, 3], 0), 'x_6e175ff480cd6428'],
	])('%s is as it has always been', (id, pinned) => {
		expect(id).toBe(pinned);
	});

	test('is a prefix and 16 hex digits of the sha256 of the parts as canonical JSON', () => {
		expect(contentId('b', 'x', 1, null)).toBe(`b_${sha256('["x",1,null]').slice(0, 16)}`);
		expect(contentId('b')).toMatch(/^b_[0-9a-f]{16}$/);
	});

	test('tells parts apart by their borders, their order and their kind', () => {
		const ids = [['ab', 'c'], ['a', 'bc'], ['c', 'ab'], [['ab', 'c']], ['ab', null, 'c'], ['1', 'c'], [1, 'c']];
		expect(new Set(ids.map(parts => contentId('b', ...parts))).size).toBe(ids.length);
	});
});

describe('canonicalJson', () => {
	test.each([
		[{b: 1, a: {d: [], c: null}}, '{"a":{"c":null,"d":[]},"b":1}'],
		[{'10': 1, '9': 2, Z: 3, a: 4, é: 5}, '{"10":1,"9":2,"Z":3,"a":4,"é":5}'],
		[{a: undefined, b: [undefined, 1]}, '{"b":[null,1]}'],
		[['\u2028', '\ud83d', '😀', '"'], '["\u2028","\\ud83d","😀","\\""]'],
		[[-0, 1e21, 0.1], '[0,1e+21,0.1]'],
		[undefined, 'null'],
	])('%j becomes %s', (value, json) => {
		expect(canonicalJson(value)).toBe(json);
	});

	test('the hash of a value does not depend on the order of its keys', () => {
		expect(shaOf({a: 1, b: [{c: 2, d: 3}]})).toBe(shaOf({b: [{d: 3, c: 2}], a: 1}));
		expect(shaOf([1, 2])).not.toBe(shaOf([2, 1]));
	});
});

test('texts compare by code units, whatever the locale', () => {
	expect(['ä', 'z', 'a', 'Z', '𠮷', '\uff5e'].sort(compareStrings)).toEqual(['Z', 'a', 'z', 'ä', '𠮷', '\uff5e']);
	expect(compareStrings('a', 'a')).toBe(0);
});
