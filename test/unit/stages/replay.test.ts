import {describe, expect, test} from 'vitest';
import {loadArm} from '../../../src/arms/arm.js';
import {sha256} from '../../../src/core/ids.js';
import {Zone} from '../../../src/core/time.js';
import type {Question} from '../../../src/domain/conversation.js';
import {hashedEmbedder} from '../../../src/embedders/hashed.js';
import type {Judge, Shortlister} from '../../../src/models/tasks.js';
import {silentProgress} from '../../../src/ports/progress.js';
import type {IndexRow, KnownExposure, MemoryCard, MessageTarget} from '../../../src/ports/store.js';
import {openJudge} from '../../../src/stages/judge/judge.js';
import {beatText, titleText} from '../../../src/stages/recall/texts.js';
import type {ExposureRow, FunnelSetup} from '../../../src/stages/replay/funnel.js';
import {type ReplayPorts, replay} from '../../../src/stages/replay/replay.js';
import {LineChat, messageTarget, questionTarget} from '../../../src/stages/replay/target.js';
import {baselineShortlister} from '../../../src/stages/shortlist/shortlist.js';
import {at, memoryCard, message} from '../../property/builders.js';

const zone = new Zone('Asia/Shanghai');
const embedder = hashedEmbedder();
const arm = loadArm('seed');
const target = (seq: number, text: string, iso: string | null, over: Partial<MessageTarget> = {}): MessageTarget => ({
	...message(seq, text, iso === null ? null : at(iso)),
	line: 'main',
	kind: 'assistant',
	...over,
});
const setup = (over: Partial<FunnelSetup> = {}): FunnelSetup => ({
	arm,
	armName: 'seed',
	armSha: 'a'.repeat(64),
	cardSetId: 'k_1',
	relationOn: false,
	zone,
	clock: {now: () => 0, monotonicMs: () => 0},
	embedder,
	shortlister: baselineShortlister(3),
	judge: openJudge,
	...over,
});

/** A line of memory and a list of exposures, in memory. */
async function ports(cards: readonly MemoryCard[], known: ReadonlyMap<string, KnownExposure> = new Map()) {
	const saved: ExposureRow[] = [];
	const texts = cards.flatMap(card => [
		['m2', card.card_id, titleText(card)] as const,
		...card.beats.map(beat => ['m4', beat.beat_id, beatText(card, beat, 'plain')] as const),
	]);
	const vectors = await embedder.embed(texts.map(([, , text]) => text));
	const rows = texts.map(([matrix, row_id, text]) => ({matrix, row_id, text_sha256: sha256(text)}) as IndexRow);
	const store = {
		addArm: async () => {},
		startRun: async () => 'r_1',
		finishRun: async () => {},
		memoryCards: async () => cards,
		indexRows: async () => rows,
		vectors: async () => new Map(rows.map((row, i) => [row.text_sha256, vectors[i]!])),
		lineMessages: async () => [],
		exposures: async () => known,
		saveExposures: async (list: readonly ExposureRow[]) => {
			saved.push(...list);
		},
	};
	const clock = {now: () => 0, monotonicMs: () => 0};
	return {
		saved,
		ports: {store, clock, progress: silentProgress, signal: new AbortController().signal} as unknown as ReplayPorts,
	};
}

async function run(
	cards: readonly MemoryCard[],
	targets: readonly (MessageTarget | Question)[],
	over: Partial<FunnelSetup> = {},
	known?: ReadonlyMap<string, KnownExposure>,
) {
	const {saved, ports: given} = await ports(cards, known);
	const report = await replay(
		{setup: setup(over), armConfig: {}, repeats: 1, targets: new Map([['main', targets]])},
		given,
	);
	return {saved, report};
}

const JAN10 = at('2026-01-10T02:00:00Z');
const tea = memoryCard('c_tea', ['晚上那杯浓茶让我睡不着。'], JAN10);
const knee = memoryCard('c_knee', ['膝盖又疼了。'], JAN10);
const ASK = target(1, '那杯浓茶的事？', '2026-01-12T02:00:00Z');

describe('replay', () => {
	test('delivers the words of what is visible, and counts them', async () => {
		const {saved, report} = await run([tea], [ASK]);
		expect(saved).toMatchObject([
			{
				decision: 'deliver',
				pool: 'delivered',
				reason: 'judge:有用',
				delivered_ids: ['c_tea'],
				n_beats: 1,
				cutoff: ASK.created_at,
				cutoff_basis: 'time',
				max_seen_until: JAN10,
			},
		]);
		expect(saved[0]!.rendered_text).toContain('「晚上那杯浓茶让我睡不着。」');
		expect(saved[0]!.rendered_sha256).toBe(sha256(saved[0]!.rendered_text!));
		expect(report).toMatchObject({delivered: 1, rejected: 0, skipped: {}, exposures: {made: 1, reused: 0}});
	});

	test('nightly sees nothing of the same day or of yesterday before six in the morning', async () => {
		const {saved} = await run(
			[tea],
			[target(1, '那杯浓茶的事？', '2026-01-10T21:59:59Z'), target(2, '那杯浓茶的事？', '2026-01-10T22:00:00Z')],
		);
		expect(saved.map(({reason}) => reason)).toEqual(['mid_filter_empty', 'judge:有用']);
	});

	test('a chat window is not given a card twice while there is another one; a fresh window is', async () => {
		const asks = [1, 2, 3].map(seq => target(seq, '浓茶和膝盖的事？', `2026-01-12T0${seq}:00:00Z`));
		const other = target(4, '浓茶和膝盖的事？', '2026-01-12T05:00:00Z', {conversation_id: 'v_2'});
		const one: Shortlister = {
			id: 'one',
			promptSha: null,
			isLanguageModel: false,
			shortlist: async ({order}) => ({ok: true, value: order}),
		};
		const judge: Judge = {
			...openJudge,
			judge: async () => ({ok: true, value: {label: 'useful', wire: '有用', segs: [1]}}),
		};
		const {saved} = await run([tea, knee], [...asks, other], {shortlister: one, judge});
		const [first, second] = saved.map(({delivered_ids}) => delivered_ids[0]);
		expect(new Set([first, second])).toEqual(new Set(['c_tea', 'c_knee']));
		// Both were given: the choice falls back to what it was.
		expect(saved[2]!.kept_ids).toHaveLength(2);
		expect(saved[3]!.delivered_ids[0]).toBe(first);
	});

	test('an acknowledgement is exempt and asks nothing of the memory; a question never is', async () => {
		const question: Question = {
			question_id: 'q_1',
			line: 'main',
			text: '好的',
			asked_at: null,
			evidence: ['m_c_tea_0'],
			category: null,
			answerable: true,
			answer: null,
			context: null,
			extra: null,
		};
		const {saved, report} = await run([tea], [target(1, '好的', '2026-01-12T02:00:00Z'), question]);
		expect(saved[0]).toMatchObject({
			reason: 'exempt:acknowledgement',
			decision: 'skip',
			pool: 'not_judged',
			candidate_ids: [],
			n_model_calls: 0,
		});
		expect(saved[1]).toMatchObject({target_kind: 'question', cutoff_basis: 'end', ranked_sources: ['m_c_tea_0']});
		expect(report).toMatchObject({skipped: {'exempt:acknowledgement': 1}, evidence: {questions: 1, recall_at_5: 1}});
	});

	test('a shortlister that fails is a recorded skip, and the judge is not asked', async () => {
		const broken: Shortlister = {
			id: 'x',
			promptSha: null,
			isLanguageModel: true,
			shortlist: async () => ({ok: false, error: 'timeout', raw: null}),
		};
		let asked = 0;
		const judge: Judge = {
			...openJudge,
			judge: async input => {
				asked++;
				return openJudge.judge(input);
			},
		};
		const {saved} = await run([tea], [ASK], {shortlister: broken, judge});
		expect(saved).toMatchObject([
			{decision: 'skip', pool: 'not_judged', reason: 'mid_filter_error:timeout', rendered_text: null},
		]);
		expect(asked).toBe(0);
	});

	test('none and harmful are rejected, with nothing rendered', async () => {
		for (const [label, wire] of [
			['none', '没用'],
			['harmful', '有害'],
		] as const) {
			const judge: Judge = {...openJudge, judge: async () => ({ok: true, value: {label, wire, segs: []}})};
			const {saved, report} = await run([tea], [ASK], {judge});
			expect(saved).toMatchObject([
				{
					decision: 'skip',
					pool: 'rejected',
					label,
					label_wire: wire,
					reason: `judge:${wire}`,
					rendered_text: null,
					n_chars: 0,
					delivered_ids: [],
				},
			]);
			expect(saved[0]!.segments).toHaveLength(1);
			expect(report.rejected).toBe(1);
		}
	});

	test('a second run from the same memory keeps what the first one made', async () => {
		const targets = [ASK, target(2, '膝盖怎么样了？', '2026-01-13T02:00:00Z')];
		const {saved} = await run([tea, knee], targets);
		const known = new Map(saved.map(row => [row.exposure_id, row as KnownExposure]));
		expect((await run([tea, knee], targets, {}, known)).report.exposures).toEqual({made: 0, reused: 2});
		const grown = [tea, knee, memoryCard('c_new', ['新的一句话。'], JAN10)];
		expect((await run(grown, targets, {}, known)).report.exposures).toEqual({made: 2, reused: 0});
	});

	test('what was made after other deliveries is made again: another state is another result', async () => {
		const [first, second] = [ASK, target(2, '那杯浓茶的事？', '2026-01-13T02:00:00Z')];
		const {saved} = await run([tea, knee], [first, second]);
		expect(saved[0]!.delivered_ids).not.toEqual([]);
		const known = new Map(saved.map(row => [row.exposure_id, row as KnownExposure]));
		expect((await run([tea, knee], [second], {}, known)).report.exposures).toEqual({made: 1, reused: 0});
	});

	test('cards written later change nothing of what was delivered before', async () => {
		const later = Array.from({length: 40}, (_, n) =>
			memoryCard(`c_${n}later`, ['那杯浓茶的事，答案在这里。'], ASK.created_at! + n),
		);
		const strip = ({state_sha: _, ...row}: ExposureRow) => row;
		const [before, after] = [await run([tea, knee], [ASK]), await run([tea, ...later, knee], [ASK])];
		expect(after.saved.map(strip)).toEqual(before.saved.map(strip));
	});
});

describe('targets', () => {
	const chat = new LineChat([
		{conversation_id: 'v_1', seq: 0, text: 'a', created_at: 10},
		{conversation_id: 'v_1', seq: 1, text: 'b', created_at: 20},
		{conversation_id: 'v_1', seq: 2, text: 'c', created_at: 30},
		{conversation_id: 'v_1', seq: 3, text: 'd', created_at: 40},
		{conversation_id: 'v_2', seq: 0, text: 'x', created_at: 25},
		{conversation_id: 'v_3', seq: 0, text: 'timeless', created_at: null},
	]);

	test('the context of a message is the last three of its own conversation', () => {
		expect(messageTarget(target(4, 'q', null), arm, chat)).toMatchObject({
			before: ['b', 'c', 'd'],
			cutoff: {basis: 'order', at: null, seq: 4},
			chat_window: 'v_1',
		});
		expect(messageTarget(target(1, 'q', null), arm, chat).before).toEqual(['a']);
		expect(messageTarget(target(4, 'q', null), {...arm, context_messages: 0}, chat).before).toEqual([]);
	});

	test('the context of a question is what was said before it was asked, exclusively', () => {
		const question = {question_id: 'q', line: 'main', text: 'q', asked_at: 30, context: null} as unknown as Question;
		expect(questionTarget(question, arm, chat, zone)).toMatchObject({
			before: ['a', 'b', 'x'],
			cutoff: {basis: 'time', at: 30, conversation_id: null},
			chat_window: null,
		});
		expect(questionTarget({...question, asked_at: null}, arm, chat, zone).before).toEqual(['x', 'c', 'd']);
		expect(questionTarget({...question, context: ['own']}, arm, chat, zone).before).toEqual(['own']);
	});
});
