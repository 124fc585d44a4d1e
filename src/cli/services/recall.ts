import {parseTime} from '../../core/time.js';
import {HindcastError} from '../../errors.js';
import type {MessageTarget} from '../../ports/store.js';
import type {Cutoff} from '../../stages/recall/as-of.js';
import {explainCard} from '../../stages/recall/explain.js';
import {loadLine, viewAt} from '../../stages/recall/memory.js';
import {buildQueries} from '../../stages/recall/query.js';
import {recall} from '../../stages/recall/recall.js';
import type {FunnelSetup} from '../../stages/replay/funnel.js';
import {memoryConfig} from '../../stages/replay/replay.js';
import {cutoffAfterAll, LineChat, messageTarget, type Target} from '../../stages/replay/target.js';
import type {Store} from '../../store/store.js';
import {resolveArm} from '../arm-setup.js';
import type {ServiceResult} from '../result.js';
import {type SessionFlags, timeText, withStore} from '../session.js';

export interface RecallFlags extends SessionFlags {
	readonly text?: string | undefined;
	readonly message?: string | undefined;
	readonly at?: string | undefined;
	readonly line?: string | undefined;
	readonly arm: string;
	readonly explain?: string | undefined;
	readonly limit: number;
	readonly embedder?: string | undefined;
	readonly availability?: string | undefined;
	readonly cards?: string | undefined;
	readonly 'model-dir'?: string | undefined;
}

/** `hindcast recall` */
export const runRecall = (flags: RecallFlags): Promise<ServiceResult> =>
	withStore(flags, {}, async (store, ports) => {
		const {setup} = await resolveArm(flags.arm, flags, store, ports);
		const target = await pickTarget(flags, setup, store);
		return recallTarget(target, flags, setup, store);
	});

async function recallTarget(
	target: Target,
	flags: RecallFlags,
	setup: FunnelSetup,
	store: Store,
): Promise<ServiceResult> {
	const {arm} = setup;
	const memory = await loadLine(target.line, memoryConfig(setup), store);
	const view = viewAt(memory, target.cutoff, arm.availability, setup.zone);
	const queries = buildQueries(target.text, target.before, arm.context_chars);
	const [q1, q2] = await setup.embedder.embed([queries.q1, queries.q2]);
	const recalled = recall({view, queries, vectors: [q1!, q2!], arm, relationOn: setup.relationOn});
	const candidates = recalled.candidates.map((candidate, i) => {
		const card = memory.cards[candidate.card]!;
		const best = candidate.routes.reduce((a, b) => (b.rank < a.rank ? b : a));
		const beat = card.beats.reduce((a, b) => (scoreOf(b.beat_id) > scoreOf(a.beat_id) ? b : a));
		return {
			kind: 'card',
			card_id: card.card_id,
			route: best.route,
			rank: i + 1,
			score: candidate.score,
			text: beat.quote,
			title: card.title,
			routes: candidate.routes,
			message_id: beat.message_id,
			observed_at: beat.observed_at === null ? null : timeText(beat.observed_at),
		};
	});
	function scoreOf(beatId: string): number {
		return recalled.beatScores[memory.beatIndex.get(beatId)!]!;
	}
	const explained = flags.explain
		? await explainCard(flags.explain, {view, recalled, arm, zone: setup.zone, cardSetId: setup.cardSetId, store})
		: null;
	const shown = candidates.slice(0, flags.limit);
	return {
		json: {
			target: {kind: target.kind, id: target.id, text: target.text},
			cutoff: {
				basis: target.cutoff.basis,
				at: target.cutoff.at === null ? null : timeText(target.cutoff.at),
				availability: arm.availability,
			},
			arm: setup.armName,
			queries,
			visible: {cards: view.cards.length, beats: view.beats.length},
			candidates,
			...(explained ? {explain: explained, why_not: explained.why_not} : {}),
		},
		text: [
			`as of ${target.cutoff.basis === 'end' ? 'everything in the file' : timeText(target.cutoff.at)} (${arm.availability}), ${view.cards.length} cards visible, pool ${candidates.length}`,
			...shown.map(
				candidate =>
					`${String(candidate.rank).padStart(3)}  ${candidate.score.toFixed(4)}  ${candidate.routes.map(({route, rank}) => `${route}#${rank}`).join(' ')}\n     ${candidate.card_id} ${candidate.observed_at?.slice(0, 10) ?? ''} 〔${candidate.title}〕\n     「${candidate.text}」`,
			),
			...(explained ? ['', explained.text] : []),
		].join('\n'),
		exit: 0,
	};
}

async function pickTarget(flags: RecallFlags, setup: FunnelSetup, store: Store): Promise<Target> {
	if (flags.message !== undefined) {
		const message = await findMessage(flags.message, store);
		const chat = new LineChat(await store.lineMessages(message.line));
		const target = messageTarget(message, setup.arm, chat);
		return flags.at === undefined ? target : {...target, cutoff: cutoffOf(flags, chat, setup)};
	}
	if (flags.text === undefined) {
		throw new HindcastError('BAD_USAGE', {message: 'Give a text, or --message ID.'});
	}
	const line = await pickLine(flags.line, setup, store);
	return {
		kind: 'message',
		id: '-',
		line,
		text: flags.text,
		cutoff: cutoffOf(flags, new LineChat(await store.lineMessages(line)), setup),
		chat_window: null,
		conversation_id: null,
		before: [],
	};
}

function cutoffOf(flags: RecallFlags, chat: LineChat, setup: FunnelSetup): Cutoff {
	if (flags.at === undefined) return cutoffAfterAll(setup.arm, chat, setup.zone);
	const parsed = parseTime(flags.at, setup.zone.name);
	if (!parsed)
		throw new HindcastError('BAD_USAGE', {
			message: `--at ${flags.at} is no time.`,
			hint: 'For example 2026-01-31T12:00:00Z.',
		});
	return {basis: 'time', at: parsed.at, conversation_id: null, seq: null};
}

async function findMessage(id: string, store: Store): Promise<MessageTarget> {
	for await (const message of store.messageTargets()) if (message.message_id === id) return message;
	throw new HindcastError('TARGET_UNKNOWN', {message: `There is no visible message ${id}.`});
}

async function pickLine(named: string | undefined, setup: FunnelSetup, store: Store): Promise<string> {
	const lines = await store.lines(setup.cardSetId);
	if (named !== undefined && lines.includes(named)) return named;
	if (named === undefined && lines.length === 1) return lines[0]!;
	if (named === undefined && lines.includes('main')) return 'main';
	throw new HindcastError('BAD_USAGE', {
		message: named === undefined ? 'The file has several lines of memory.' : `There is no line "${named}".`,
		hint: `Name one with --line: ${lines.slice(0, 10).join(', ')}`,
	});
}
