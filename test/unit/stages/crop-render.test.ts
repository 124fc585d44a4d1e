import {describe, expect, test} from 'vitest';
import {Zone} from '../../../src/core/time.js';
import {type CropBeat, crop} from '../../../src/stages/crop/crop.js';
import {type RenderBeat, renderCard, renderInjection} from '../../../src/stages/crop/render.js';
import {at} from '../../property/builders.js';

const zone = new Zone('Asia/Shanghai');
const numbered = (count: number): CropBeat[] =>
	Array.from({length: count}, (_, i) => ({beat_id: `b${i}`, quote: `第${i}拍的原话`}));
/** The places that were kept, with a dot for each ellipsis. */
const places = (beats: readonly CropBeat[], hits?: readonly number[], cap?: number): string =>
	crop(beats, hits && new Set(hits.map(i => `b${i}`)), cap)
		.map(line => (line === 'gap' ? '.' : line.beat_id.slice(1)))
		.join(' ');

describe('crop', () => {
	test('a card of at most twelve beats is whole', () => {
		for (const count of [0, 1, 2, 12]) expect(places(numbered(count))).toBe([...Array(count).keys()].join(' '));
	});

	test('of thirteen, one goes; of thirty, first, last and the ten in the middle stay', () => {
		expect(places(numbered(13))).toBe('0 . 2 3 4 5 6 7 8 9 10 11 12');
		expect(places(numbered(30))).toBe('0 . 10 11 12 13 14 15 16 17 18 19 . 29');
	});

	test.each([
		[[15], '0 . 10 11 12 13 14 15 16 17 18 19 . 29'],
		[[1], '0 1 2 3 4 5 6 7 8 9 10 . 29'],
		[[28], '0 . 19 20 21 22 23 24 25 26 27 28 29'],
		[[0], '0 1 2 3 4 5 6 7 8 9 10 . 29'],
		[[12, 17], '0 . 10 11 12 13 14 15 16 17 18 19 . 29'],
		[[2, 27], '0 . 10 11 12 13 14 15 16 17 18 19 . 29'],
	])('hits %j of thirty give %s', (hits, expected) => {
		expect(places(numbered(30), hits)).toBe(expected);
	});

	test('of equal quotes the first stays, a contained shorter one goes, and nothing is filled in', () => {
		const beats = ['晚上那杯浓茶', '晚上那杯浓茶让我睡不着。', '晚上，那杯 浓茶！', '晚上那杯浓茶让我睡不着'].map(
			(quote, i) => ({beat_id: `b${i}`, quote}),
		);
		expect(places(beats)).toBe('1');
	});

	test('compares after NFKC, without white space and punctuation, from four characters on', () => {
		const of = (...quotes: string[]) => places(quotes.map((quote, i) => ({beat_id: `b${i}`, quote})));
		expect(of('ＡＢＣＤ', 'ab', 'ABCD efg')).toBe('1 2');
		expect(of('睡不着', '我睡不着了')).toBe('0 1');
		expect(of('真睡不着', '我真睡不着了')).toBe('1');
		expect(of('😀😀😀', '😀😀😀')).toBe('0 1');
		expect(of('a b c d', 'a-b-c-d')).toBe('0');
	});

	test('containment may take the first and the last; the ellipses tell of the crop alone', () => {
		const beats = numbered(20).map((beat, i) => (i === 0 || i === 19 ? {...beat, quote: '第9拍的原'} : beat));
		expect(places(beats)).toBe('. 5 6 7 8 9 10 11 12 13 14 .');
	});
});

describe('renderCard', () => {
	const row = (quote: string, over: Partial<RenderBeat> = {}): RenderBeat => ({
		beat_id: quote,
		quote,
		observed_at: at('2026-01-10T16:30:00Z'),
		role: 'user',
		speaker: 'user',
		context_note: '用户说',
		...over,
	});
	const render = (beats: readonly RenderBeat[], withContextNote = false) =>
		renderCard('标题\n二', beats, {zone, cap: 3, withContextNote}).text.split('\n');

	test('dates are those of the memory zone, line breaks in quotes and titles become one space', () => {
		expect(render([row('一\r\n\n二')])).toEqual([
			'〔标题 二〕 · 2026-01-11 ~ 2026-01-11 · 共 1 拍',
			'  2026-01-11 · 用户：「一 二」',
		]);
	});

	test('names are those of the chat among people, 用户 and 助手 with a model', () => {
		const lines = render([
			row('一'),
			row('二', {role: 'assistant', speaker: 'assistant'}),
			row('三', {speaker: 'Ann'}),
		]);
		expect(lines.slice(1).map(line => line.split(' · ')[1])).toEqual(['用户：「一」', '助手：「二」', 'Ann：「三」']);
	});

	test('counts the deliverable beats of the card, and marks the gap', () => {
		expect(render(['第一拍', '第二拍', '第三拍', '第四拍'].map(quote => row(quote)))).toEqual([
			'〔标题 二〕 · 2026-01-11 ~ 2026-01-11 · 共 4 拍',
			'  2026-01-11 · 用户：「第一拍」',
			'  2026-01-11 · 用户：「第二拍」',
			'  ……',
			'  2026-01-11 · 用户：「第四拍」',
		]);
	});

	test('without a time the date is not made up', () => {
		expect(render([row('一', {observed_at: null}), row('二')])).toEqual([
			'〔标题 二〕 · 2026-01-11 ~ 2026-01-11 · 共 2 拍',
			'  日期不详 · 用户：「一」',
			'  2026-01-11 · 用户：「二」',
		]);
		expect(render([row('一', {observed_at: null})])[0]).toBe('〔标题 二〕 · 日期不详 ~ 日期不详 · 共 1 拍');
	});

	test('notes are shown only when asked for, and not when they are empty', () => {
		expect(render([row('一'), row('二', {context_note: ''})], true).slice(1)).toEqual([
			'  2026-01-11 · 用户：「一」（用户说）',
			'  2026-01-11 · 用户：「二」',
		]);
	});

	test('names the beats that stand in the text', () => {
		expect(
			renderCard(
				't',
				['甲', '乙', '丙', '丁'].map(quote => row(quote)),
				{zone, cap: 3, withContextNote: false},
			).beat_ids,
		).toEqual(['甲', '乙', '丁']);
	});
});

test('several segments are given word for word, in the order of the judge', () => {
	expect(renderInjection(['〔二〕\n  b', '〔一〕\n  a'])).toBe(
		'（记录前言：以下是过去的事，属于当时，使用由当轮 Claude 判断。）\n〔二〕\n  b\n〔一〕\n  a\n\n【以上为隐藏交接与动态上下文，以下是用户本轮消息】',
	);
});
