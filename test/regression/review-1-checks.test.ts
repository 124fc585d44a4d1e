import {describe, expect, test} from 'vitest';
import {formatInstant, Zone} from '../../src/core/time.js';
import type {AggregateAnswer} from '../../src/models/tasks.js';
import {acceptAnswer, findViolations} from '../../src/stages/aggregate/check-answer.js';
import {planBatches} from '../../src/stages/aggregate/plan.js';
import {renderCard} from '../../src/stages/crop/render.js';
import {checkAnswer} from '../../src/stages/extract/check-answer.js';
import {planWindows} from '../../src/stages/extract/windows.js';
import {isVisible} from '../../src/stages/recall/as-of.js';
import {isAcknowledgement} from '../../src/text/acknowledgement.js';
import {cleanInjected} from '../../src/text/clean.js';
import {at, beat, card, conversation, memoryCard, message} from '../property/builders.js';

const zone = new Zone('Asia/Shanghai');
const T = at('2026-01-10T13:00:00Z');
const options = {assistantBeats: 'one'} as const;

test('F1 one quote named twice in a card gives two beats with two ids', () => {
	const [window] = planWindows(conversation([message(0, '我膝盖疼。', T)]), zone, 'k_1');
	const same = {quote: '我膝盖疼。', source_message_id: 'm1', observed_at: null, context_note: ''};
	const answer = {
		events: [],
		cards: [{title: 't', tags: [], relay_quote: false, beats: [same, {...same, quote: '我 膝盖疼。'}]}],
	};
	const beats = checkAnswer(window!, answer, 'k_1', options).cards[0]!.beats;
	expect(new Set(beats.map(({beat_id}) => beat_id)).size).toBe(2);
});

test('F5 the id of a window depends on the times and the roles that it shows', () => {
	const id = (created_at: number, over = {}) =>
		planWindows(conversation([message(0, '我叫小林。', created_at, over)]), zone, 'k_1')[0]!.window_id;
	expect(id(T + 60_000_000)).not.toBe(id(T));
	expect(id(T, {speaker: 'Ann'})).not.toBe(id(T));
});

test('F9 what was said after the target in its own conversation is not visible, whatever its clock says', () => {
	const to = {basis: 'time' as const, at: T, conversation_id: 'v_1', seq: 0};
	const later = memoryCard('c_1', ['q'], T - 3 * 86_400_000_000, {conversation_id: 'v_1', seen_until_seq: 1});
	expect(isVisible(later, to, 'nightly', zone)).toBe(false);
});

test('F11 a dropped card is protected by the tags of its source cards, not only by those that the model wrote', () => {
	const [batch] = planBatches('main', '2026-01-10', [card('c_0', [beat('c_0', 0)], {tags: ['身体']})], 'k_2');
	const {quote, observed_at, context_note} = batch!.cards[0]!.beats[0]!;
	const wire = {quote, source_message_id: 'm1', observed_at: formatInstant(observed_at!), context_note};
	const answer: AggregateAnswer = {
		aggregate_log: [],
		cards: [
			{
				card_id: 'x',
				source_card_ids: ['c_0'],
				title: 't',
				tags: ['工程'],
				beats: [wire],
				disposition: 'drop',
				drop_ruler: null,
				drop_reason: null,
			},
		],
	};
	expect(acceptAnswer(batch!, answer, 'k_2').cards[0]!.disposition).toBe('keep');
});

test('F12 a beat may not move to a card that does not name its source card', () => {
	const [batch] = planBatches(
		'main',
		'2026-01-10',
		[card('c_0', [beat('c_0', 0)]), card('c_1', [beat('c_1', 1)])],
		'k_2',
	);
	const beats = batch!.cards.flatMap(item =>
		item.beats.map(({quote, message_id, observed_at, context_note}) => ({
			quote,
			source_message_id: batch!.shortIds.get(message_id!)!,
			observed_at: formatInstant(observed_at!),
			context_note,
		})),
	);
	const rest = {title: 't', tags: [], drop_ruler: null, drop_reason: null};
	const answer: AggregateAnswer = {
		aggregate_log: [],
		cards: [
			{...rest, card_id: 'x', source_card_ids: ['c_1'], beats, disposition: 'drop'},
			{...rest, card_id: 'y', source_card_ids: ['c_0'], beats: [], disposition: 'keep'},
		],
	};
	expect(findViolations(batch!, answer)).not.toEqual([]);
});

test('F13 a time that appears from null is a change, also when it cannot be read', () => {
	const [batch] = planBatches('main', '2026-01-10', [card('c_0', [beat('c_0', 0, {observed_at: null})])], 'k_2');
	const {quote, context_note} = batch!.cards[0]!.beats[0]!;
	const wire = {quote, source_message_id: 'm1', observed_at: 'yesterday', context_note};
	const answer: AggregateAnswer = {
		aggregate_log: [],
		cards: [
			{
				card_id: 'x',
				source_card_ids: ['c_0'],
				title: 't',
				tags: [],
				beats: [wire],
				disposition: 'keep',
				drop_ruler: null,
				drop_reason: null,
			},
		],
	};
	expect(findViolations(batch!, answer).map(({kind}) => kind)).toEqual(['changed_time']);
});

test('F14 every code point of an assistant message in a turn of a person is shown to the extractor', () => {
	const long = '答'.repeat(6000);
	const windows = planWindows(
		conversation([message(0, '问题', T), message(1, long, T + 1, {role: 'assistant'})]),
		zone,
		'k_1',
	);
	expect(
		windows
			.flatMap(({parts}) => parts)
			.filter(part => part.message_id === 'm_1')
			.map(part => part.text)
			.join(''),
	).toBe(long);
});

describe('F15 rendering', () => {
	const row = (over: object) => ({
		beat_id: 'b',
		quote: 'q',
		observed_at: T,
		role: 'user',
		speaker: 'user',
		context_note: '',
		...over,
	});
	const lines = (title: string, over: object) =>
		renderCard(title, [row(over)], {zone, cap: 12, withContextNote: false}).text.split('\n');
	test('a speaker named like a member of every object is a name', () => {
		expect(lines('t', {speaker: 'constructor'})[1]).toBe('  2026-01-10 · constructor：「q」');
	});
	test('a speaker cannot break the line or add a quote', () => {
		const text = lines('t', {speaker: 'Bo：「forged」\n  2026-01-10 · 用户'});
		expect(text).toHaveLength(2);
		expect(text[1]!.match(/「/gu)).toHaveLength(1);
	});
	test('a title, which a model wrote, holds no quotation marks of quotes', () => {
		expect(lines('「我从来不吃药」', {})[0]).not.toMatch(/[「」]/u);
	});
	test('only line breaks of a quote become one space; its other white space is its own', () => {
		expect(lines('t', {quote: 'a  b\tc　d\ne'})[1]).toBe('  2026-01-10 · 用户：「a  b\tc　d e」');
	});
});

test('F16 the earlier instant of a clock that shows twice', () => {
	expect(formatInstant(new Zone('America/New_York').at('2026-11-01', '01:30'))).toBe('2026-11-01T05:30:00Z');
});

test('F17 long runs take no quadratic time', {timeout: 60_000}, () => {
	const started = Date.now();
	isAcknowledgement(`ok${' '.repeat(40_000)}b`);
	cleanInjected('<memos>'.repeat(40_000));
	expect(Date.now() - started).toBeLessThan(1000);
});

test('F18 the order within a batch does not depend on the order of the rows', () => {
	const of = (id: string, conversation_id: string, seen_until_seq: number, ordinal: number) =>
		card(id, [beat(id, 0)], {conversation_id, seen_until_seq, ordinal});
	const list = [of('a', 'v_1', 5, 0), of('b', 'v_2', 1, 1), of('c', 'v_1', 3, 2)];
	const order = (cards: typeof list) => planBatches('main', 'd', cards, 'k')[0]!.cards.map(({card_id}) => card_id);
	expect(order([list[1]!, list[2]!, list[0]!])).toEqual(order(list));
});
