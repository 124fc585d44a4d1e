import {describe, expect, test} from 'vitest';
import {Zone} from '../../../src/core/time.js';
import {isDeliverable, type Window} from '../../../src/domain/card.js';
import type {Message} from '../../../src/domain/conversation.js';
import type {ExtractAnswer, ExtractOptions} from '../../../src/models/tasks.js';
import {checkAnswer, countBeats} from '../../../src/stages/extract/check-answer.js';
import {extractWindow} from '../../../src/stages/extract/extract.js';
import {planWindows} from '../../../src/stages/extract/windows.js';
import {at, conversation, message} from '../../property/builders.js';

type WireBeat = ExtractAnswer['cards'][number]['beats'][number];
type WireCard = ExtractAnswer['cards'][number];

const T = at('2026-01-10T13:00:00Z');
const TEA = '晚上那杯浓茶让我睡不着。以后晚餐我换成温水。';

function windowOf(messages: readonly Message[], kind: 'assistant' | 'people' = 'assistant'): Window {
	const [window] = planWindows(conversation(messages, kind), new Zone('Asia/Shanghai'), 'k_1');
	return window!;
}
const window = windowOf([
	message(0, TEA, T),
	message(1, `好的，${'我记住了'.repeat(20)}`, T + 1, {role: 'assistant'}),
	message(2, 'I said it 😀 twice. I said it 😀 twice.', T + 2),
]);

const wire = (quote: string, source_message_id: string, over: Partial<WireBeat> = {}): WireBeat => ({
	quote,
	source_message_id,
	observed_at: null,
	context_note: '用户描述身体反馈',
	...over,
});
const toCard = (beats: readonly WireBeat[], over: Partial<WireCard> = {}): WireCard => ({
	title: '用户调整晚间饮品',
	tags: ['饮食与睡眠'],
	relay_quote: false,
	beats,
	...over,
});
const ONE: ExtractOptions = {assistantBeats: 'one'};

function checked(cards: readonly WireCard[], of: Window = window, options: ExtractOptions = ONE) {
	const result = checkAnswer(of, {events: [], cards}, 'k_1', options);
	return {...result, beats: result.cards.flatMap(card => card.beats), kinds: result.warnings.map(({kind}) => kind)};
}

describe('the source of a beat', () => {
	test('an unknown short id filters the beat; nothing is thrown away', () => {
		for (const id of ['m4', 'm0', 'M1', '1', '', 'm_0', '__proto__']) {
			const {beats, kinds, cards} = checked([toCard([wire('晚上那杯浓茶让我睡不着。', id)])]);
			expect(beats).toMatchObject([
				{message_id: null, verification: 'none', filtered_reason: 'unknown_source', char_start: null},
			]);
			expect(beats.some(isDeliverable)).toBe(false);
			expect(kinds).toEqual(['unknown_source', 'no_verified_beats']);
			expect(cards).toHaveLength(1);
		}
	});

	test('the speaker is the role of the message, whatever the model says elsewhere', () => {
		const {beats} = checked([
			toCard([wire('晚上那杯浓茶让我睡不着。', 'm1', {context_note: 'Claude 说'}), wire('我记住了', 'm2')]),
		]);
		expect(beats.map(({role, speaker}) => [role, speaker])).toEqual([
			['user', 'user'],
			['assistant', 'assistant'],
		]);
	});

	test('among people the speaker is the name', () => {
		const people = windowOf(
			[message(0, 'I paint.', T, {speaker: 'Ann'}), message(1, 'I sing.', T + 1, {role: 'assistant', speaker: 'Bo'})],
			'people',
		);
		const {beats} = checked([toCard([wire('I paint.', 'm1'), wire('I sing.', 'm2')])], people);
		expect(beats.map(({speaker}) => speaker)).toEqual(['Ann', 'Bo']);
	});

	test("the time is the message's own; another one is a warning, an equal one in another zone is not", () => {
		const times = [null, '2026-01-10T13:00:00Z', '2026-01-10T21:00:00+08:00', '2026-01-10T13:00:01Z', 'tonight', ''];
		const {beats, warnings} = checked([toCard(times.map((observed_at, i) => wire(TEA[i]!, 'm1', {observed_at})))]);
		expect(new Set(beats.map(({observed_at}) => observed_at))).toEqual(new Set([T]));
		expect(warnings.map(({kind, detail}) => [kind, detail])).toEqual([
			['observed_at_differs', 'm1: 2026-01-10T13:00:01Z'],
			['observed_at_differs', 'm1: tonight'],
			['observed_at_differs', 'm1: '],
		]);
	});

	test('a time claimed for a message that has none is a warning, and no time is made up', () => {
		const timeless = windowOf([message(0, TEA, null)]);
		const {beats, kinds} = checked([toCard([wire('换成温水', 'm1', {observed_at: '2026-01-10T13:00:00Z'})])], timeless);
		expect(beats).toMatchObject([{observed_at: null, verification: 'exact'}]);
		expect(kinds).toEqual(['observed_at_differs']);
	});
});

describe('the words of a beat', () => {
	test('found word for word are exact, with their span', () => {
		const {beats, kinds} = checked([toCard([wire('以后晚餐我换成温水。', 'm1')])]);
		expect(beats).toMatchObject([{verification: 'exact', char_start: 12, char_end: 22, quote: '以后晚餐我换成温水。'}]);
		expect(kinds).toEqual([]);
	});

	test('found with white space folded are kept as the source has them', () => {
		const {beats} = checked([toCard([wire(' 以后晚餐我\n换成 温水。', 'm1'), wire('Isaidit😀', 'm3')])]);
		expect(beats).toMatchObject([
			{verification: 'whitespace', quote: '以后晚餐我换成温水。', char_start: 12, char_end: 22},
			{verification: 'whitespace', quote: 'I said it 😀', char_start: 0, char_end: 11},
		]);
		expect(beats.every(isDeliverable)).toBe(true);
	});

	test.each([
		['a changed character', '晚上那杯淡茶让我睡不着。'],
		['another punctuation', '晚上那杯浓茶让我睡不着！'],
		['other words left out', '晚上浓茶让我睡不着。'],
		['an ellipsis', '晚上那杯浓茶…睡不着。'],
		['another width', '晚上那杯浓茶让我睡不着．'],
		['nothing', ''],
		['white space', ' \n　'],
		['the words of another message', '我记住了我记住了'],
	])('with %s are kept as none, and never delivered', (_, quote) => {
		const {beats, kinds} = checked([toCard([wire(quote, 'm1')])]);
		expect(beats).toMatchObject([
			{verification: 'none', quote, char_start: null, char_end: null, filtered_reason: null},
		]);
		expect(beats.some(isDeliverable)).toBe(false);
		expect(kinds).toEqual(['quote_not_found', 'no_verified_beats']);
	});

	test('said twice in a message: each beat of a card takes the first place that is free, in code points', () => {
		const {beats} = checked([toCard([wire('I said it 😀 twice.', 'm3'), wire('I said it 😀 twice.', 'm3')])]);
		expect(beats.map(({char_start, char_end}) => [char_start, char_end])).toEqual([
			[0, 18],
			[19, 37],
		]);
		expect(new Set(beats.map(({beat_id}) => beat_id)).size).toBe(2);
	});

	test('another card may use the same place again', () => {
		const {beats} = checked([toCard([wire('twice', 'm3')]), toCard([wire('twice', 'm3')])]);
		expect(beats.map(({char_start}) => char_start)).toEqual([12, 12]);
		expect(new Set(beats.map(({beat_id}) => beat_id)).size).toBe(2);
	});

	test('in another part of a long message that the window shows are found there', () => {
		const long = windowOf([message(0, '短。', T)]);
		const text = `${'甲'.repeat(10)}。乙在后半。`;
		const part = {...long.parts[0]!, text: text.slice(0, 11), end: 11};
		const rest = {...part, start: 11, end: 16, text: text.slice(11)};
		const {beats} = checked([toCard([wire('乙在后半。', 'm1')])], {...long, parts: [part, rest]});
		expect(beats).toMatchObject([{verification: 'exact', char_start: 11, char_end: 16}]);
	});
});

describe('beats of the assistant', () => {
	const answer = windowOf([
		message(0, '早。', T),
		message(1, `${'一'.repeat(60)}${'二'.repeat(61)}短句`, T, {role: 'assistant'}),
	]);

	test('of 60 code points pass, of 61 are filtered', () => {
		const {beats, kinds} = checked(
			[toCard([wire('一'.repeat(60), 'm2')]), toCard([wire('二'.repeat(61), 'm2')])],
			answer,
		);
		expect(beats.map(({filtered_reason}) => filtered_reason)).toEqual([null, 'assistant_too_long']);
		expect(kinds).toEqual(['assistant_too_long', 'no_verified_beats']);
	});

	test('count code points, not UTF-16 units', () => {
		const emoji = windowOf([message(0, '早。', T), message(1, '😀'.repeat(60), T, {role: 'assistant'})]);
		expect(checked([toCard([wire('😀'.repeat(60), 'm2')])], emoji).beats[0]).toMatchObject({
			filtered_reason: null,
			char_end: 60,
		});
	});

	test('beyond the first of a card are filtered; a filtered one does not count', () => {
		const {beats, kinds} = checked(
			[toCard([wire('二'.repeat(61), 'm2'), wire('短句', 'm2'), wire('早。', 'm1'), wire('一一', 'm2')])],
			answer,
		);
		expect(beats.map(({filtered_reason}) => filtered_reason)).toEqual([
			'assistant_too_long',
			null,
			null,
			'assistant_extra',
		]);
		expect(kinds).toEqual(['assistant_too_long', 'assistant_extra']);
	});

	test('are not capped among people, nor when all of them are asked for', () => {
		const beats = [wire('一'.repeat(60), 'm2'), wire('二'.repeat(61), 'm2')];
		const people = windowOf(
			[message(0, '早。', T), message(1, answer.parts[1]!.text, T, {role: 'assistant', speaker: 'Bo'})],
			'people',
		);
		for (const result of [
			checked([toCard(beats)], people),
			checked([toCard(beats)], answer, {assistantBeats: 'all'}),
		]) {
			expect(result.beats.every(isDeliverable)).toBe(true);
			expect(result.kinds).toEqual([]);
		}
	});
});

describe('limits and gaps are warnings, never cuts', () => {
	test('a seventh card and a ninth beat', () => {
		const beats = Array.from(TEA, quote => wire(quote, 'm1')).slice(0, 9);
		expect(checked([toCard(beats.slice(0, 8))]).kinds).toEqual([]);
		expect(checked([toCard(beats)])).toMatchObject({kinds: ['beats_over_limit']});
		expect(checked([toCard(beats)]).beats).toHaveLength(9);
		const cards = Array.from({length: 7}, () => toCard([wire('温水', 'm1')]));
		expect(checked(cards.slice(0, 6)).kinds).toEqual([]);
		expect(checked(cards)).toMatchObject({kinds: ['cards_over_limit'], cards: {length: 7}});
	});

	test('an empty title, no beats, no verified beats', () => {
		expect(checked([toCard([wire('温水', 'm1')], {title: ' '})]).kinds).toEqual(['empty_title']);
		expect(checked([toCard([])])).toMatchObject({kinds: ['no_beats'], cards: [{title: '用户调整晚间饮品', beats: []}]});
		expect(checked([toCard([wire('没说过', 'm1')])]).kinds).toEqual(['quote_not_found', 'no_verified_beats']);
	});

	test('an answer without cards is a good answer', () => {
		expect(checked([])).toMatchObject({cards: [], warnings: [], events: []});
	});
});

describe('what a card carries', () => {
	test("is its window's: line, day, and until when its writer had seen", () => {
		const [card] = checked([toCard([wire('温水', 'm1')], {relay_quote: true})]).cards;
		expect(card).toMatchObject({
			line: 'main',
			day: '2026-01-10',
			conversation_id: 'v_1',
			seen_until: T + 2,
			seen_until_seq: 2,
			relay_quote: true,
			disposition: 'keep',
			batch_id: null,
		});
	});

	test('has ids that the same answer gives again, and each its own', () => {
		const cards = [toCard([wire('温水', 'm1')]), toCard([wire('温水', 'm1')])];
		const first = checked(cards);
		expect(checked(structuredClone(cards))).toEqual(first);
		expect(new Set(first.cards.map(({card_id}) => card_id)).size).toBe(2);
		expect(checkAnswer(window, {events: [], cards}, 'k_2', ONE).cards[0]!.card_id).not.toBe(first.cards[0]!.card_id);
	});

	test('events name their messages once, unknown ones are a warning', () => {
		const event = {summary: '饮茶', related_user_message_ids: ['m1', 'm1', 'm9', 'm3'], carded: false, reason: '寒暄'};
		const {events, warnings} = checkAnswer(window, {events: [event], cards: []}, 'k_1', ONE);
		expect(events).toMatchObject([{related_message_ids: ['m_0', 'm_2'], carded: false, reason: '寒暄'}]);
		expect(warnings).toMatchObject([{kind: 'event_unknown_source', detail: 'm9', card_id: null}]);
	});

	test('beats are counted by how they were verified', () => {
		const {cards} = checked([
			toCard([wire('温水', 'm1'), wire('晚 餐', 'm1'), wire('没说过', 'm1'), wire('温水', 'm9')]),
		]);
		expect(countBeats(cards)).toEqual({exact: 1, whitespace: 1, none: 1, filtered: 1});
	});
});

test('an answer that cannot be read leaves the window failed, with the raw answer', async () => {
	const extractor = {
		id: 'fake/1',
		promptSha: null,
		isLanguageModel: true,
		extract: async () => ({ok: false as const, error: 'no JSON', raw: 'Sorry'}),
	};
	expect(await extractWindow(window, 'k_1', ONE, extractor)).toMatchObject({
		status: 'failed',
		error: 'no JSON',
		raw_answer: 'Sorry',
		cards: [],
		events: [],
	});
});
