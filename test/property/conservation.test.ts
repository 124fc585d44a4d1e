import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {formatInstant} from '../../src/core/time.js';
import type {Beat, CardWithBeats} from '../../src/domain/card.js';
import type {AggregateAnswer, AggregateBeat} from '../../src/models/tasks.js';
import {acceptAnswer, findViolations} from '../../src/stages/aggregate/check-answer.js';
import {type PlannedBatch, planBatches} from '../../src/stages/aggregate/plan.js';
import {at, beat, card, MICROS, SEED} from './builders.js';

type WireCard = AggregateAnswer['cards'][number];

const NOTES = ['用户说', 'Claude 说过这件事', ''];
const T = at('2026-01-10T02:00:00Z');

/** One beat before it has its card: source, words, time. Few sources and words, so that equal beats come up. */
const source = fc.record({
	message: fc.oneof({weight: 9, arbitrary: fc.integer({min: 0, max: 5})}, {weight: 1, arbitrary: fc.constant(null)}),
	words: fc.integer({min: 0, max: 3}),
	minute: fc.option(fc.integer({min: 0, max: 600}), {freq: 5}),
	note: fc.constantFrom(...NOTES),
});

const QUOTES = [
	'晚上那杯浓茶让我睡不着。',
	'以后晚餐我换成温水。',
	'I moved to Berlin in spring 😀.',
	'膝盖又疼了，医生让我休息两周。',
];

const toBeat = (
	cardId: string,
	n: number,
	drawn: {message: number | null; words: number; minute: number | null; note: string},
): Beat =>
	beat(cardId, n, {
		message_id: drawn.message === null ? null : `m_${drawn.message}`,
		quote: QUOTES[drawn.words]!,
		observed_at: drawn.message === null || drawn.minute === null ? null : T + drawn.minute * 60 * MICROS,
		context_note: drawn.note,
		verification: drawn.message === null ? 'none' : 'exact',
		filtered_reason: drawn.message === null ? 'unknown_source' : null,
		char_start: drawn.message === null ? null : drawn.words,
		char_end: drawn.message === null ? null : drawn.words + QUOTES[drawn.words]!.length,
	});

const cards: fc.Arbitrary<CardWithBeats[]> = fc
	.array(fc.array(source, {maxLength: 4}), {minLength: 1, maxLength: 6})
	.map(list =>
		list.map((beats, i) =>
			card(
				`c_${i}`,
				beats.map((drawn, n) => toBeat(`c_${i}`, n, drawn)),
			),
		),
	);

const batch: fc.Arbitrary<PlannedBatch> = cards.map(list => planBatches('main', '2026-01-10', list, 'k_2')[0]!);

const wireBeat = (of: PlannedBatch, {quote, message_id, observed_at, context_note}: Beat): AggregateBeat => ({
	quote,
	source_message_id: of.shortIds.get(message_id ?? '?')!,
	observed_at: observed_at === null ? null : formatInstant(observed_at),
	context_note,
});

const shuffled = <T>(list: readonly T[]): fc.Arbitrary<T[]> =>
	fc.shuffledSubarray([...list], {minLength: list.length, maxLength: list.length});

/** A batch and a faithful answer: cards joined, reordered and dropped at will, every beat there. */
const faithful: fc.Arbitrary<{batch: PlannedBatch; answer: AggregateAnswer}> = batch.chain(of =>
	fc
		.tuple(
			shuffled(of.cards),
			fc.array(fc.nat({max: 2}), {minLength: of.cards.length, maxLength: of.cards.length}),
			fc.array(fc.constantFrom('keep', 'drop'), {minLength: 3, maxLength: 3}),
			fc.integer(),
		)
		.map(([order, groupOf, dispositions, turn]) => {
			const groups = [0, 1, 2]
				.map(group => order.filter((_, i) => groupOf[i] === group))
				.filter(list => list.length > 0);
			return {
				batch: of,
				answer: {aggregate_log: [], cards: groups.map((group, i) => toWire(of, group, dispositions[i]!, turn))},
			};
		}),
);

function toWire(of: PlannedBatch, group: readonly CardWithBeats[], disposition: string, turn: number): WireCard {
	const beats = group.flatMap(member => member.beats.map(item => wireBeat(of, item)));
	const cut = beats.length === 0 ? 0 : Math.abs(turn) % beats.length;
	return {
		card_id: group[0]!.card_id,
		source_card_ids: group.map(member => member.card_id),
		title: 'joined',
		tags: ['饮食'],
		beats: [...beats.slice(cut), ...beats.slice(0, cut)],
		disposition: disposition as WireCard['disposition'],
		drop_ruler: null,
		drop_reason: null,
	};
}

const kinds = (of: PlannedBatch, answer: AggregateAnswer) => findViolations(of, answer).map(({kind}) => kind);
const identity = ({
	message_id,
	quote,
	observed_at,
	context_note,
	char_start,
	char_end,
	verification,
	filtered_reason,
}: Beat) =>
	JSON.stringify([message_id, quote, observed_at, context_note, char_start, char_end, verification, filtered_reason]);
const all = (list: readonly CardWithBeats[]) => list.flatMap(({beats}) => beats);

describe('a faithful answer', () => {
	test('is accepted, and every beat comes out with its span, time, note and marks', () => {
		fc.assert(
			fc.property(faithful, ({batch: of, answer}) => {
				expect(findViolations(of, answer)).toEqual([]);
				const accepted = acceptAnswer(of, answer, 'k_2');
				expect(all(accepted.cards).map(identity).sort()).toEqual(all(of.cards).map(identity).sort());
				expect(new Set(all(accepted.cards).map(({beat_id}) => beat_id)).size).toBe(all(of.cards).length);
			}),
			{seed: SEED, numRuns: 500},
		);
	});

	test('leaves of identical beats of one card exactly one alive, which absorbs the others', () => {
		fc.assert(
			fc.property(faithful, ({batch: of, answer}) => {
				for (const {card_id, beats} of acceptAnswer(of, answer, 'k_2').cards) {
					const living = beats.filter(item => item.verification !== 'none' && item.absorbed_by === null);
					const keyOf = ({message_id, quote}: Beat) => `${message_id} ${quote}`;
					expect(new Set(living.map(keyOf)).size).toBe(living.length);
					for (const item of beats) {
						expect(item.card_id).toBe(card_id);
						if (item.absorbed_by === null) continue;
						const winner = beats.find(({beat_id}) => beat_id === item.absorbed_by)!;
						expect(living).toContain(winner);
						expect(keyOf(winner)).toBe(keyOf(item));
					}
				}
			}),
			{seed: SEED, numRuns: 500},
		);
	});
});

/** Faithful answers of batches whose beats are all different, so that a change has one name; with a place to change. */
const distinct = fc
	.array(fc.integer({min: 1, max: 3}), {minLength: 2, maxLength: 4})
	.map(counts => {
		let n = 0;
		return counts.map((count, i) =>
			card(
				`c_${i}`,
				Array.from({length: count}, () =>
					beat(`c_${i}`, n, {quote: `${n++}：${QUOTES[n % 4]}`, observed_at: n % 3 === 0 ? null : T + n}),
				),
				{},
			),
		);
	})
	.map(list => planBatches('main', '2026-01-10', list, 'k_2')[0]!)
	.map(of => ({batch: of, answer: {aggregate_log: [], cards: of.cards.map(item => toWire(of, [item], 'keep', 0))}}));

type Change = (beats: AggregateBeat[], at: number) => AggregateBeat[];
const edit =
	(change: (item: AggregateBeat) => AggregateBeat): Change =>
	(beats, place) =>
		beats.map((item, i) => (i === place ? change(item) : item));

const CHANGES: readonly (readonly [string, readonly string[], Change])[] = [
	['a beat is left out', ['lost'], (beats, place) => beats.filter((_, i) => i !== place)],
	['a beat comes twice', ['duplicated'], (beats, place) => [...beats, beats[place]!].map(item => ({...item}))],
	['a character is changed', ['changed_words'], edit(item => ({...item, quote: item.quote.replace(/.$/u, '；')}))],
	['a space is added', ['changed_words'], edit(item => ({...item, quote: `${item.quote} `}))],
	[
		'a time is moved by a microsecond',
		['changed_time'],
		edit(item => ({...item, observed_at: formatInstant(T + 999_999)})),
	],
	['a note is changed', ['changed_note'], edit(item => ({...item, context_note: `${item.context_note}。`}))],
	['a message id is unknown', ['unknown_message', 'lost'], edit(item => ({...item, source_message_id: 'm999'}))],
	['a beat of nowhere is added', ['added'], beats => [...beats, {...beats[0]!, quote: '全新的一句 zzz'}]],
	[
		'a time is no time that can be read',
		['changed_time'],
		edit(item => ({...item, observed_at: item.observed_at === null ? '2026-01-10' : 'yesterday'})),
	],
];

const isOneOf = (found: readonly string[], expected: readonly string[]) =>
	expect([...new Set(found)].sort()).toEqual([...expected].sort());

describe('one change to a faithful answer is refused by its name', () => {
	test.each(CHANGES)('when %s: %j', (_, expected, change) => {
		fc.assert(
			fc.property(distinct, fc.nat(), ({batch: of, answer}, seed) => {
				const place = seed % answer.cards.length;
				const cards = answer.cards.map((item, i) =>
					i === place ? {...item, beats: change([...item.beats], seed % item.beats.length)} : item,
				);
				isOneOf(kinds(of, {aggregate_log: [], cards}), expected);
			}),
			{seed: SEED, numRuns: 100},
		);
	});

	test('when a time turns null, or appears from null', () => {
		fc.assert(
			fc.property(distinct, ({batch: of, answer}) => {
				for (const [place, item] of answer.cards.entries()) {
					const changed = {
						...item.beats[0]!,
						observed_at: item.beats[0]!.observed_at === null ? formatInstant(T) : null,
					};
					const cards = answer.cards.map((other, i) =>
						i === place ? {...other, beats: [changed, ...other.beats.slice(1)]} : other,
					);
					expect(kinds(of, {aggregate_log: [], cards})).toEqual(['changed_time']);
				}
			}),
			{seed: SEED, numRuns: 100},
		);
	});

	const sources = (answer: AggregateAnswer, ids: (own: readonly string[]) => string[]): AggregateAnswer => ({
		...answer,
		cards: answer.cards.map((item, i) => (i === 0 ? {...item, source_card_ids: ids(item.source_card_ids)} : item)),
	});

	test('when a source card is unknown, named twice, left out, or none is named', () => {
		fc.assert(
			fc.property(distinct, ({batch: of, answer}) => {
				isOneOf(
					kinds(
						of,
						sources(answer, own => [...own, 'c_x']),
					),
					['unknown_card'],
				);
				isOneOf(
					kinds(
						of,
						sources(answer, own => [...own, ...answer.cards[1]!.source_card_ids]),
					),
					['card_consumed_twice'],
				);
				isOneOf(
					kinds(
						of,
						sources(answer, own => [...own, ...own]),
					),
					['card_consumed_twice'],
				);
				isOneOf(
					kinds(
						of,
						sources(answer, () => []),
					),
					['no_source_card', 'card_not_consumed', 'wrong_card'],
				);
				isOneOf(kinds(of, {...answer, cards: answer.cards.slice(1)}), ['card_not_consumed', 'lost']);
			}),
			{seed: SEED, numRuns: 100},
		);
	});
});
