import {describe, expect, test} from 'vitest';
import {formatInstant} from '../../../src/core/time.js';
import type {CardWithBeats} from '../../../src/domain/card.js';
import type {AggregateAnswer, Aggregator} from '../../../src/models/tasks.js';
import {silentProgress} from '../../../src/ports/progress.js';
import type {AggregateStore, BatchResult, RunStore} from '../../../src/ports/store.js';
import {aggregate, attemptBatch} from '../../../src/stages/aggregate/aggregate.js';
import {acceptAnswer} from '../../../src/stages/aggregate/check-answer.js';
import {type PlannedBatch, planBatches} from '../../../src/stages/aggregate/plan.js';
import {at, beat, card, MICROS} from '../../property/builders.js';

const plan = (cards: readonly CardWithBeats[]): PlannedBatch[] => planBatches('main', '2026-01-10', cards, 'k_2');
const T = at('2026-01-10T02:00:00Z');
const LATE = at('2026-01-10T15:30:00Z');

/** An answer that keeps every card as it is. */
const same = (batch: PlannedBatch, over: Partial<AggregateAnswer['cards'][number]> = {}): AggregateAnswer => ({
	aggregate_log: [
		{source_card_ids: batch.cards.map(({card_id}) => card_id), result_card_id: batch.cards[0]!.card_id, reason: 'same'},
	],
	cards: batch.cards.map(item => ({
		card_id: item.card_id,
		source_card_ids: [item.card_id],
		title: item.title,
		tags: item.tags,
		beats: item.beats.map(({quote, message_id, observed_at, context_note}) => ({
			quote,
			source_message_id: batch.shortIds.get(message_id ?? '?')!,
			observed_at: observed_at === null ? null : formatInstant(observed_at),
			context_note,
		})),
		disposition: 'keep',
		drop_ruler: null,
		drop_reason: null,
		...over,
	})),
});

describe('planBatches', () => {
	const small = (n: number, over: Partial<CardWithBeats> = {}) =>
		card(`c_${String(n).padStart(3, '0')}`, [beat(`c_${n}`, n, {observed_at: T + n * MICROS})], {ordinal: n, ...over});

	test('chunks a day in time order, neighbours together, forty cards at most', () => {
		const cards = Array.from({length: 85}, (_, n) => small(n)).reverse();
		const batches = plan(cards);
		expect(batches.map(batch => batch.cards.length)).toEqual([40, 40, 5]);
		expect(batches.flatMap(batch => batch.cards)).toEqual([...cards].reverse());
		expect(batches.map(({ordinal}) => ordinal)).toEqual([0, 1, 2]);
		expect(new Set(batches.map(({batch_id}) => batch_id)).size).toBe(3);
	});

	test('keeps 12 000 code points, but a larger card is a batch by itself', () => {
		const sized = (n: number, length: number) =>
			card(`c_${n}`, [beat(`c_${n}`, n, {quote: '字'.repeat(length)})], {title: ''});
		const sizes = (...lengths: number[]) =>
			plan(lengths.map((length, n) => sized(n, length))).map(batch => batch.cards.length);
		const note = 3;
		expect(sizes(6000 - note, 6000 - note)).toEqual([2]);
		expect(sizes(6000 - note, 6001 - note)).toEqual([1, 1]);
		expect(sizes(10, 20_000, 10)).toEqual([1, 1, 1]);
	});

	test('knows until when its writer will have seen, and its one conversation', () => {
		const [one] = plan([small(0, {seen_until: 5, seen_until_seq: 2}), small(1, {seen_until: 9, seen_until_seq: 7})]);
		expect(one).toMatchObject({seen_until: 9, seen_until_seq: 7, conversation_id: 'v_1'});
		const [two] = plan([small(0), small(1, {conversation_id: 'v_2', seen_until: null})]);
		expect(two).toMatchObject({seen_until_seq: null, conversation_id: null});
	});

	test('gives each message one short id over the whole batch, and cards without time keep their order', () => {
		const cards = [2, 0, 1].map(n =>
			card(`c_${n}`, [beat(`c_${n}`, 0, {observed_at: null})], {seen_until: null, seen_until_seq: n}),
		);
		const [batch] = plan(cards);
		expect([...batch!.shortIds]).toEqual([['m_0', 'm1']]);
		expect(batch!.cards.map(({card_id}) => card_id)).toEqual(['c_0', 'c_1', 'c_2']);
	});
});

describe('acceptAnswer', () => {
	const batch = (tags: readonly string[] = ['饮食'], over: Partial<CardWithBeats> = {}) =>
		plan([
			card('c_0', [beat('c_0', 0)], {tags, ...over}),
			card('c_1', [beat('c_1', 1)], {conversation_id: 'v_2', seen_until: LATE}),
		])[0]!;

	test('a dropped card keeps its beats and says by which rule it was dropped', () => {
		const of = batch();
		const accepted = acceptAnswer(
			of,
			same(of, {disposition: 'drop', drop_ruler: '寒暄', drop_reason: '没有内容'}),
			'k_2',
		);
		expect(accepted.cards).toMatchObject([
			{disposition: 'drop', drop_ruler: '寒暄', drop_reason: '没有内容', beats: [{quote: '第0句话'}]},
			{disposition: 'drop', beats: [{quote: '第1句话'}]},
		]);
		expect(accepted.warnings).toEqual([]);
	});

	test.each(['身体', '情绪', '约定', '未结约定', ' Body ', 'MOOD', 'open agreement'])(
		'a drop of a card tagged %j is set back to keep, with a warning',
		tag => {
			const of = batch(['饮食', tag]);
			const {cards, warnings} = acceptAnswer(
				of,
				{...same(of), cards: same(of, {disposition: 'drop', drop_reason: '工程'}).cards},
				'k_2',
			);
			expect(cards.map(({disposition}) => disposition)).toEqual(['keep', 'drop']);
			expect(warnings).toMatchObject([{kind: 'protected_drop', card_id: cards[0]!.card_id, batch_id: of.batch_id}]);
		},
	);

	test('every card of a batch was written with sight of all of it', () => {
		const of = batch();
		expect(acceptAnswer(of, same(of), 'k_2').cards.map(({seen_until}) => seen_until)).toEqual([LATE, LATE]);
	});

	test('a card joined over conversations belongs to none, one of a single conversation to it', () => {
		const of = batch();
		const [first, second] = same(of).cards;
		const joined = {...first!, source_card_ids: ['c_0', 'c_1'], beats: [...first!.beats, ...second!.beats]};
		expect(acceptAnswer(of, {aggregate_log: [], cards: [joined]}, 'k_2').cards).toMatchObject([
			{conversation_id: null, source_card_ids: ['c_0', 'c_1']},
		]);
		expect(acceptAnswer(of, same(of), 'k_2').cards.map(({conversation_id}) => conversation_id)).toEqual(['v_1', 'v_2']);
	});

	test('the log names the cards that were made', () => {
		const of = batch();
		const {cards, log} = acceptAnswer(of, same(of), 'k_2');
		expect(log).toEqual([{source_card_ids: ['c_0', 'c_1'], result_card_id: cards[0]!.card_id, reason: 'same'}]);
	});

	test('of identical beats the verified one lives, wherever it stands', () => {
		const twin = {message_id: 'm_9', quote: '同一句话'};
		const beats = [
			beat('c_0', 0, {...twin, filtered_reason: 'assistant_extra'}),
			beat('c_0', 1, twin),
			beat('c_0', 2, twin),
		];
		const of = plan([card('c_0', beats)])[0]!;
		const [made] = acceptAnswer(of, same(of), 'k_2').cards;
		const living = made!.beats.filter(({absorbed_by}) => absorbed_by === null);
		expect(living).toMatchObject([{ordinal: 1, filtered_reason: null}]);
		expect(made!.beats.map(({absorbed_by}) => absorbed_by)).toEqual([living[0]!.beat_id, null, living[0]!.beat_id]);
	});
});

/** A store that keeps what it is given. */
function fakeStore(cards: readonly CardWithBeats[], known: Awaited<ReturnType<AggregateStore['batches']>> = []) {
	const saved: BatchResult[] = [];
	const superseded: string[] = [];
	const statuses: string[] = [];
	const store: AggregateStore & RunStore = {
		addCardSet: async () => {},
		async *dayCards() {
			yield {line: 'main', day: '2026-01-10', cards: [...cards]};
		},
		batches: async () => known,
		saveBatch: async result => {
			saved.push(result);
		},
		supersedeBatches: async ids => {
			superseded.push(...ids);
		},
		startRun: async () => 'r_1',
		finishRun: async (_id, status) => {
			statuses.push(status);
		},
	};
	return {store, saved, superseded, statuses};
}

const ports = (store: AggregateStore & RunStore, aggregator: Aggregator, signal = new AbortController().signal) => ({
	store,
	aggregator,
	signal,
	clock: {now: () => 0, monotonicMs: () => 0},
	progress: silentProgress,
});
const scripted = (answers: readonly ((batch: PlannedBatch) => AggregateAnswer | null)[]) => {
	const shown: (readonly {kind: string}[])[] = [];
	const aggregator: Aggregator = {
		id: 'scripted/1',
		promptSha: 'p',
		isLanguageModel: true,
		async aggregate(batch, violations) {
			const value = answers[shown.length]?.(batch as PlannedBatch) ?? null;
			shown.push(violations);
			return value ? {ok: true, value} : {ok: false, error: 'no JSON', raw: 'Sorry'};
		},
	};
	return {aggregator, shown};
};

const two = [card('c_0', [beat('c_0', 0)]), card('c_1', [beat('c_1', 1)])];
const losing = (batch: PlannedBatch): AggregateAnswer => ({
	...same(batch),
	cards: same(batch).cards.map(item => ({...item, beats: []})),
});

describe('aggregate', () => {
	test('refuses the whole of a batch for one violation, shows it, and takes a good second answer', async () => {
		const {store, saved, statuses} = fakeStore(two);
		const {aggregator, shown} = scripted([losing, same]);
		const report = await aggregate('k_parent', ports(store, aggregator));
		expect(saved.map(({status, attempt, cards}) => [status, attempt, cards.length])).toEqual([
			['rejected', 0, 0],
			['accepted', 1, 2],
		]);
		expect(JSON.parse(saved[0]!.raw_answer!)).toEqual(losing(plan(two)[0]!));
		expect(shown.map(list => list.map(({kind}) => kind))).toEqual([[], ['lost', 'lost']]);
		expect(report).toMatchObject({
			batches: {accepted: 1, rejected: 1, pending: 0},
			violations: {lost: 2},
			cards: {kept: 2},
		});
		expect(statuses).toEqual(['done']);
	});

	test('leaves a batch pending after two refusals, its cards as they were, and tries again at the next run', async () => {
		const {store, saved, statuses} = fakeStore(two);
		const first = await aggregate('k_parent', ports(store, scripted([losing, () => null]).aggregator));
		expect(first).toMatchObject({
			batches: {accepted: 0, rejected: 2, pending: 1},
			violations: {lost: 2, unreadable: 1},
		});
		expect(statuses).toEqual(['partial']);
		expect(saved.every(({cards}) => cards.length === 0)).toBe(true);
		const known = [{batch_id: saved[0]!.batch_id, line: 'main', day: '2026-01-10', status: 'rejected', attempts: 2}];
		const again = fakeStore(two, known);
		await aggregate('k_parent', ports(again.store, scripted([same]).aggregator));
		expect(again.saved.map(({status, attempt}) => [status, attempt])).toEqual([['accepted', 2]]);
	});

	test('leaves an accepted batch alone and supersedes one whose input is gone', async () => {
		const first = fakeStore(two);
		await aggregate('k_parent', ports(first.store, scripted([same]).aggregator));
		const id = first.saved[0]!.batch_id;
		const batch = (batch_id: string) => ({batch_id, line: 'main', day: '2026-01-10', status: 'accepted', attempts: 1});
		const {store, saved, superseded} = fakeStore(two, [batch(id), batch('g_gone')]);
		const {aggregator, shown} = scripted([]);
		expect(await aggregate('k_parent', ports(store, aggregator))).toMatchObject({superseded: 1});
		expect([saved, shown, superseded]).toEqual([[], [], ['g_gone']]);
	});

	test('stops between units when it is asked to, and says so', async () => {
		const {store, saved, statuses} = fakeStore(two);
		const stop = new AbortController();
		stop.abort();
		expect(await aggregate('k_parent', ports(store, scripted([same]).aggregator, stop.signal))).toMatchObject({
			interrupted: true,
		});
		expect([saved, statuses]).toEqual([[], ['interrupted']]);
	});

	test('records an answer that cannot be read with its raw text', async () => {
		const [batch] = plan(two);
		expect(await attemptBatch(batch!, 0, [], 'k_2', scripted([() => null]).aggregator)).toMatchObject({
			status: 'rejected',
			raw_answer: 'Sorry',
			violations: [{kind: 'unreadable'}],
		});
	});
});
