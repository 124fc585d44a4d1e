import type {Question} from '../domain/conversation.js';
import type {Embedder} from '../ports/embedder.js';
import type {StagePorts} from '../ports/ports.js';
import type {Random} from '../ports/random.js';
import {buildIndex} from '../stages/index/build-index.js';
import {loadLine, viewAt} from '../stages/recall/memory.js';
import {buildQueries} from '../stages/recall/query.js';
import {rankBeats, recall} from '../stages/recall/recall.js';
import {type FunnelSetup, passThrough} from '../stages/replay/funnel.js';
import {memoryConfig} from '../stages/replay/replay.js';
import {LineChat, questionTarget} from '../stages/replay/target.js';
import {codePointLength} from '../text/code-points.js';
import {intervalOf, type Judged, type Metrics, metricsOf, round} from './metrics.js';
import {type Rival, rankMessages, rivals} from './rivals.js';
import {type BenchSet, type Fold, foldOf, messagesOf, stride} from './set.js';

/** A row of the table: one set, one system, one embedder, over all its queries. */
export interface BenchRow extends Metrics {
	readonly set: string;
	readonly arm: string;
	readonly embedder: string | null;
	/** 95 % interval of recall at 20, by resampling conversations. */
	readonly ci95: readonly [number, number];
	/** Questions without an answer, and the share of them for which something was delivered; null for rivals. */
	readonly unanswerable: {readonly questions: number; readonly delivered: number | null};
	readonly by: {
		readonly fold: Readonly<Record<string, Metrics>>;
		readonly category: Readonly<Record<string, Metrics>>;
	};
}

export interface BenchConfig {
	readonly setups: readonly FunnelSetup[];
	readonly embedder: Embedder;
	readonly fold: Fold | 'all';
	/** Most questions a set, by even stride; null for all. */
	readonly queriesMax: number | null;
	readonly withRivals: boolean;
	readonly random: Random;
}

type Answered = Judged & {readonly category: string; readonly fold: Fold};

/** Measures every arm, and the rivals, on one set. */
export async function benchSet(set: BenchSet, config: BenchConfig, ports: StagePorts): Promise<BenchRow[]> {
	const questions = new Map(
		[...stride(set, config.queriesMax)].filter(
			([line, list]) => list.length > 0 && (config.fold === 'all' || foldOf(line) === config.fold),
		),
	);
	const rows: BenchRow[] = [];
	for (const setup of config.setups)
		rows.push(await benchArm(set, questions, {...setup, cardSetId: set.cardSetId}, config, ports));
	if (config.withRivals)
		for (const rival of rivals(config.embedder)) rows.push(await benchRival(set, questions, rival, config));
	return rows;
}

async function benchArm(
	set: BenchSet,
	questions: ReadonlyMap<string, readonly Question[]>,
	setup: FunnelSetup,
	config: BenchConfig,
	ports: StagePorts,
): Promise<BenchRow> {
	const {store} = set;
	const {arm} = setup;
	await buildIndex({cardSetId: set.cardSetId, recipes: [arm.text]}, {...ports, store, embedder: setup.embedder});
	const answered: Answered[] = [];
	let [open, delivered] = [0, 0];
	for (const [line, list] of questions) {
		const memory = await loadLine(line, memoryConfig(setup), store);
		const chat = new LineChat(await store.lineMessages(line));
		for (const question of list) {
			const target = questionTarget(question, arm, chat, setup.zone);
			if (!question.answerable) {
				open++;
				const row = await passThrough(target, memory, new Set(), 0, setup);
				if (row.decision === 'deliver') delivered++;
			}
			if (!question.answerable || question.evidence.length === 0) continue;
			const view = viewAt(memory, target.cutoff, arm.availability, setup.zone);
			const queries = buildQueries(target.text, target.before, arm.context_chars);
			const [q1, q2] = await setup.embedder.embed([queries.q1, queries.q2]);
			const recalled = recall({view, queries, vectors: [q1!, q2!], arm, relationOn: setup.relationOn});
			answered.push({...shownBeats(rankBeats(view, recalled)), ...goldOf(question, line)});
		}
	}
	const unanswerable = {questions: open, delivered: open === 0 ? null : round(delivered / open)};
	return toRow(set, setup.armName, setup.embedder.name, answered, unanswerable, config);
}

/** Distinct source messages in the order of the beats, with the characters shown up to each. */
function shownBeats(beats: readonly {message_id: string; quote: string}[]): Pick<Judged, 'ranked' | 'shownChars'> {
	const ranked = new Map<string, number>();
	let shown = 0;
	for (const {message_id, quote} of beats) {
		shown += codePointLength(quote);
		if (!ranked.has(message_id)) ranked.set(message_id, shown);
	}
	return {ranked: [...ranked.keys()], shownChars: [...ranked.values()]};
}

const goldOf = (question: Question, line: string) => ({
	gold: question.evidence,
	group: line,
	category: question.category ?? 'none',
	fold: foldOf(line),
});

async function benchRival(
	set: BenchSet,
	questions: ReadonlyMap<string, readonly Question[]>,
	rival: Rival,
	config: BenchConfig,
): Promise<BenchRow> {
	const answered: Answered[] = [];
	for (const [line, list] of questions) {
		const messages = await messagesOf(set, line);
		const score = await rival.prepare(messages);
		for (const question of list) {
			if (!question.answerable || question.evidence.length === 0) continue;
			const visible = Uint8Array.from(messages, ({created_at}) =>
				question.asked_at === null || (created_at !== null && created_at < question.asked_at) ? 1 : 0,
			);
			const scores = await score(question.text, visible);
			answered.push({...rankMessages(messages, scores, visible), ...goldOf(question, line)});
		}
	}
	const embedder = rival.usesEmbedder ? config.embedder.name : null;
	return toRow(set, rival.name, embedder, answered, {questions: 0, delivered: null}, config);
}

function toRow(
	set: BenchSet,
	arm: string,
	embedder: string | null,
	answered: readonly Answered[],
	unanswerable: BenchRow['unanswerable'],
	config: BenchConfig,
): BenchRow {
	return {
		set: set.name,
		arm,
		embedder,
		...metricsOf(answered),
		ci95: intervalOf(answered, config.random.fork(`${set.name}/${arm}/${embedder}`)),
		unanswerable,
		by: {fold: grouped(answered, query => query.fold), category: grouped(answered, query => query.category)},
	};
}

function grouped(answered: readonly Answered[], keyOf: (query: Answered) => string): Record<string, Metrics> {
	const keys = [...new Set(answered.map(keyOf))].sort();
	return Object.fromEntries(keys.map(key => [key, metricsOf(answered.filter(query => keyOf(query) === key))]));
}
