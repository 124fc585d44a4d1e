import {describe, expect, test} from 'vitest';
import {Zone} from '../../../src/core/time.js';
import type {Message} from '../../../src/domain/conversation.js';
import {planWindows} from '../../../src/stages/extract/windows.js';
import {at, conversation, message} from '../../property/builders.js';

const zone = new Zone('Asia/Shanghai');
const T = at('2026-01-10T02:00:00Z');
const plan = (list: readonly Message[], kind: 'assistant' | 'people' = 'assistant') =>
	planWindows(conversation(list, kind), zone, 'k_1');
const shape = (list: readonly Message[], kind: 'assistant' | 'people' = 'assistant') =>
	plan(list, kind).map(window => window.parts.map(part => part.message_id));

describe('planWindows', () => {
	test('splits a message of 20 000 code points with surrogate pairs and Chinese without loss', () => {
		const text = Array.from({length: 2000}, (_, i) =>
			i % 7 === 0 ? '睡不着😀𠮷啊。家里 x' : '晚上那杯浓茶𠮷太浓',
		).join('');
		const windows = plan([message(0, text, T)]);
		const parts = windows.flatMap(window => window.parts);
		expect(parts.length).toBeGreaterThan(3);
		expect(parts.map(part => part.text).join('')).toBe(text);
		const points = Array.from(text);
		for (const {start, end, text: shown} of parts) expect(points.slice(start, end).join('')).toBe(shown);
		expect(parts.at(-1)?.end).toBe(points.length);
	});

	test('prefers the end of a paragraph, then the end of a sentence', () => {
		const paragraphs = `${'甲'.repeat(3000)}\n\n${'乙'.repeat(3000)}`;
		expect(plan([message(0, paragraphs, T)]).map(window => window.parts[0]!.start)).toEqual([0, 3002]);
		const sentences = `${'甲'.repeat(2999)}。${'乙'.repeat(1999)}。${'丙'.repeat(3000)}`;
		expect(plan([message(0, sentences, T)]).map(window => window.parts[0]!.start)).toEqual([0, 5000]);
	});

	test("assistant messages before the first of a person belong to the first window's first turn", () => {
		const list = [
			message(0, '你好，我是助手。', T, {role: 'assistant'}),
			message(1, '我叫小林。', T + 1),
			message(2, '记住了。', T + 2, {role: 'assistant'}),
		];
		expect(shape(list)).toEqual([['m_0', 'm_1', 'm_2']]);
		expect(plan(list)[0]).toMatchObject({n_user: 1, seen_until: T + 2, seen_until_seq: 2});
	});

	test('without a person there is no window', () => {
		expect(plan([message(0, '你好。', T, {role: 'assistant'})])).toEqual([]);
		expect(plan([message(0, ' \n　', T)])).toEqual([]);
		expect(plan([])).toEqual([]);
	});

	test('messages without time form the day none, ordered by their place', () => {
		const windows = plan([message(0, '没有时间。', null), message(1, '有时间。', T), message(2, '又没有。', null)]);
		expect(windows.map(window => [window.day, window.parts.map(part => part.seq)])).toEqual([
			['none', [0, 2]],
			['2026-01-10', [1]],
		]);
		expect(windows[0]).toMatchObject({seen_until: null, seen_until_seq: 2});
	});

	test('a clock that goes back to a day before makes no second group of that day', () => {
		const day = 86_400_000_000;
		const windows = plan([message(0, '十号。', T), message(1, '九号。', T - day), message(2, '又是十号。', T + 1)]);
		expect(windows.map(window => [window.day, window.ordinal, window.parts.map(part => part.seq)])).toEqual([
			['2026-01-10', 0, [0, 2]],
			['2026-01-09', 0, [1]],
		]);
	});

	test('the day changes at midnight of the memory zone, not of UTC', () => {
		const before = at('2026-01-10T15:59:59Z');
		expect(plan([message(0, '昨天。', before), message(1, '今天。', before + 1_000_000)]).map(({day}) => day)).toEqual([
			'2026-01-10',
			'2026-01-11',
		]);
	});

	test('among people every speaker counts like the user', () => {
		const list = Array.from({length: 6}, (_, seq) =>
			message(seq, `第${seq}句话`, T + seq, {
				role: seq % 2 === 0 ? 'user' : 'assistant',
				speaker: seq % 2 === 0 ? 'Ann' : 'Bo',
			}),
		);
		expect(shape(list, 'people')).toEqual([
			['m_0', 'm_1', 'm_2', 'm_3', 'm_4'],
			['m_3', 'm_4', 'm_5'],
		]);
		expect(shape(list)).toEqual([['m_0', 'm_1', 'm_2', 'm_3', 'm_4', 'm_5']]);
	});

	test('a full window with a message over the budget falls into sub-windows turn by turn', () => {
		const long = '长'.repeat(5000);
		const list = [message(0, '短。', T), message(1, long, T + 1), message(2, '又短。', T + 2)];
		expect(shape(list)).toEqual([['m_0', 'm_1', 'm_2']]);
		const more = [...list, message(3, long, T + 3)];
		expect(shape(more)).toEqual([['m_0', 'm_1', 'm_2'], ['m_3']]);
	});

	test('the id of a window does not depend on other days, but on the card set and on what it shows', () => {
		const id = (list: readonly Message[], set = 'k_1') =>
			planWindows(conversation(list), zone, set).find(({day}) => day === '2026-01-10')?.window_id;
		const one = [message(0, '我叫小林。', T)];
		expect(id([...one, message(1, '明天。', T + 86_400_000_000)])).toBe(id(one));
		expect(id(one, 'k_2')).not.toBe(id(one));
		expect(id([message(0, '我叫小李。', T)])).not.toBe(id(one));
	});
});
