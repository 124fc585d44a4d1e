import type {Arm} from '../../arms/arm.js';
import {contentId, sha256, shaOf} from '../../core/ids.js';
import type {Zone} from '../../core/time.js';
import type {Exposure, ExposureCandidate, JudgeLabel, Segment} from '../../domain/exposure.js';
import type {Judge, Shortlister, Verdict} from '../../models/tasks.js';
import type {Clock} from '../../ports/clock.js';
import type {Embedder} from '../../ports/embedder.js';
import type {MemoryBeat, MemoryCard} from '../../ports/store.js';
import {codePointLength} from '../../text/code-points.js';
import {tokenize} from '../../text/tokens.js';
import {type RenderedCard, renderCard, renderInjection} from '../crop/render.js';
import {gate} from '../gate/gate.js';
import {verdictProblem} from '../judge/judge.js';
import {type LineMemory, type View, viewAt} from '../recall/memory.js';
import {buildQueries, type Queries} from '../recall/query.js';
import {type Recalled, rankSources, recall} from '../recall/recall.js';
import {eventDedupe, indexLine, validIds, windowDedupe} from '../shortlist/shortlist.js';
import type {Target} from './target.js';

export type ExposureRow = Exposure & {readonly candidates: readonly ExposureCandidate[]};

/** What stays the same over a run. */
export interface FunnelSetup {
	readonly arm: Arm;
	readonly armName: string;
	readonly armSha: string;
	readonly cardSetId: string;
	readonly relationOn: boolean;
	readonly zone: Zone;
	readonly clock: Clock;
	readonly embedder: Embedder;
	readonly shortlister: Shortlister;
	readonly judge: Judge;
}

/** What a pass yields before it is made a row. */
interface Pass {
	readonly queries: Queries;
	readonly view: View | null;
	readonly recalled: Recalled | null;
	readonly shortlist: readonly string[];
	readonly kept: readonly string[];
	readonly segments: readonly Segment[];
	readonly outcome: Outcome;
	readonly timings: {recall_ms: number; mid_filter_ms: number; judge_ms: number};
}

interface Outcome {
	readonly reason: string;
	readonly verdict: Verdict | null;
}

const NO_TIME = {recall_ms: 0, mid_filter_ms: 0, judge_ms: 0};

/** Id of a target's exposure under an arm: the same whenever it is made. */
export const exposureId = (armSha: string, target: Target, repeat: number): string =>
	contentId('x', armSha, target.id, placeOf(target), repeat);

/** The cutoff: an instant, or a place where there is no instant. */
const placeOf = ({cutoff}: Target): readonly unknown[] =>
	cutoff.basis === 'order' ? [cutoff.basis, cutoff.seq] : [cutoff.basis, cutoff.at];

/** What a pass starts from: memory, what its chat window was given, the target. Another state, another result. */
export const stateSha = (memory: LineMemory, delivered: ReadonlySet<string>, target: Target): string =>
	shaOf([memory.sha, [...delivered].sort(), target.text, target.before, target.cutoff]);

/** One target's whole way: gate, recall, shortlist, crop, judge. */
export async function passThrough(
	target: Target,
	memory: LineMemory,
	delivered: ReadonlySet<string>,
	repeat: number,
	setup: FunnelSetup,
): Promise<ExposureRow> {
	const started = setup.clock.monotonicMs();
	const queries = buildQueries(target.text, target.before, setup.arm.context_chars);
	const gated = setup.arm.gate && target.kind === 'message' ? gate(queries.q1) : ({kind: 'pass'} as const);
	const pass =
		gated.kind === 'exempt'
			? skipped(queries, `exempt:${gated.rule}`)
			: await recallAndJudge(target, queries, memory, delivered, setup);
	const latency = setup.clock.monotonicMs() - started;
	return toExposure({target, memory, delivered, repeat, setup, pass, latency});
}

function skipped(queries: Queries, reason: string): Pass {
	return {
		queries,
		view: null,
		recalled: null,
		shortlist: [],
		kept: [],
		segments: [],
		outcome: {reason, verdict: null},
		timings: NO_TIME,
	};
}

async function recallAndJudge(
	target: Target,
	queries: Queries,
	memory: LineMemory,
	delivered: ReadonlySet<string>,
	setup: FunnelSetup,
): Promise<Pass> {
	const {arm, clock} = setup;
	const t0 = clock.monotonicMs();
	const view = viewAt(memory, target.cutoff, arm.availability, setup.zone);
	const vectors = await setup.embedder.embed([queries.q1, queries.q2]);
	const recalled = recall({view, queries, vectors: [vectors[0]!, vectors[1]!], arm, relationOn: setup.relationOn});
	const t1 = clock.monotonicMs();
	const {shortlist, kept, error} = await choose(queries.q1, view, recalled, delivered, setup);
	const t2 = clock.monotonicMs();
	const rendered = kept.map(id => renderCandidate(id, view, recalled, setup));
	const segments = kept.map((card_id, i) => ({card_id, beat_ids: rendered[i]!.beat_ids, text: rendered[i]!.text}));
	const outcome = error
		? {reason: error, verdict: null}
		: await judgeSegments(queries.q1, segments, view, recalled, setup);
	const timings = {recall_ms: t1 - t0, mid_filter_ms: t2 - t1, judge_ms: clock.monotonicMs() - t2};
	return {queries, view, recalled, shortlist, kept, segments, outcome, timings};
}

const cardById = (view: View, id: string): MemoryCard => view.memory.cardById.get(id)!;

async function choose(
	q1: string,
	view: View,
	recalled: Recalled,
	delivered: ReadonlySet<string>,
	{arm, zone, shortlister}: FunnelSetup,
): Promise<{shortlist: string[]; kept: string[]; error: string | null}> {
	const order = recalled.candidates.map(candidate => candidate.card_id);
	// "候选按 ID 字典序展示" (seed 1): a model must not read the order of the pool off the list.
	const lines = [...order].sort().map(id => indexLine(cardById(view, id), zone));
	const answer =
		order.length === 0 ? {ok: true as const, value: []} : await shortlister.shortlist({target: q1, lines, order});
	if (!answer.ok) return {shortlist: [], kept: [], error: `mid_filter_error:${answer.error}`};
	const shortlist = validIds(answer.value, new Set(order), arm.shortlist_max);
	const sources = (id: string) => new Set(cardById(view, id).beats.map(beat => beat.message_id));
	const kept = eventDedupe(windowDedupe(shortlist, delivered), sources);
	return {shortlist, kept, error: kept.length === 0 ? 'mid_filter_empty' : null};
}

function renderCandidate(id: string, view: View, recalled: Recalled, {arm, zone}: FunnelSetup): RenderedCard {
	const card = cardById(view, id);
	return renderCard(card.title, card.beats, {
		zone,
		cap: arm.crop_beats_max,
		withContextNote: arm.with_context_note,
		...(arm.hits === 'beat' ? {hits: bestBeats(card.beats, view, recalled)} : {}),
	});
}

/** The beats of a card that share its best score. */
function bestBeats(beats: readonly MemoryBeat[], view: View, recalled: Recalled): ReadonlySet<string> {
	const scoreOf = (beat: MemoryBeat) => recalled.beatScores[view.memory.beatIndex.get(beat.beat_id)!]!;
	const best = Math.max(...beats.map(scoreOf));
	return new Set(beats.filter(beat => scoreOf(beat) === best).map(beat => beat.beat_id));
}

async function judgeSegments(
	q1: string,
	segments: readonly Segment[],
	view: View,
	recalled: Recalled,
	{judge}: FunnelSetup,
): Promise<Outcome> {
	const weights =
		view.memory.lexical?.weights(tokenize(q1), view.beatMask) ?? new Map(tokenize(q1).map(token => [token, 1]));
	const answer = await judge.judge({
		target: q1,
		segments: segments.map(({text, beat_ids}) => ({
			text,
			overlap: overlapOf(weights, text),
			z: Math.max(...beat_ids.map(id => recalled.q1Spread[view.memory.beatIndex.get(id)!]!)),
		})),
	});
	if (!answer.ok) return {reason: answer.error, verdict: null};
	const problem = verdictProblem(answer.value, segments.length);
	if (problem) return {reason: `judge_invalid:${problem}`, verdict: null};
	return {reason: `judge:${answer.value.wire}`, verdict: answer.value};
}

function overlapOf(weights: ReadonlyMap<string, number>, text: string): number {
	const words = new Set(tokenize(text));
	let [covered, all] = [0, 0];
	for (const [token, weight] of weights) {
		all += weight;
		if (words.has(token)) covered += weight;
	}
	return all === 0 ? 0 : covered / all;
}

interface RowInput {
	readonly target: Target;
	readonly memory: LineMemory;
	readonly delivered: ReadonlySet<string>;
	readonly repeat: number;
	readonly setup: FunnelSetup;
	readonly pass: Pass;
	readonly latency: number;
}

function toExposure({target, memory, delivered, repeat, setup, pass, latency}: RowInput): ExposureRow {
	const {arm, shortlister, judge} = setup;
	const {verdict, reason} = pass.outcome;
	const chosen = verdict?.label === 'useful' ? verdict.segs.map(n => pass.segments[n - 1]!) : [];
	const rendered = chosen.length > 0 ? renderInjection(chosen.map(({text}) => text)) : null;
	const exposure_id = exposureId(setup.armSha, target, repeat);
	const recalled = pass.recalled?.candidates ?? [];
	const judged = pass.segments.length > 0;
	return {
		exposure_id,
		arm_sha: setup.armSha,
		arm: setup.armName,
		target_kind: target.kind,
		target_id: target.id,
		repeat,
		line: target.line,
		conversation_id: target.conversation_id,
		chat_window: target.chat_window,
		cutoff: target.cutoff.at,
		cutoff_seq: target.cutoff.seq,
		cutoff_basis: target.cutoff.basis,
		availability: arm.availability,
		state_sha: stateSha(memory, delivered, target),
		q1: pass.queries.q1,
		q2: pass.queries.q2,
		candidate_ids: recalled.map(candidate => candidate.card_id),
		shortlist: pass.shortlist,
		kept_ids: pass.kept,
		segments: pass.segments,
		decision: chosen.length > 0 ? 'deliver' : 'skip',
		pool: poolOf(verdict?.label ?? null, chosen.length),
		reason,
		label: verdict?.label ?? null,
		label_wire: verdict?.wire ?? null,
		segs: verdict?.segs ?? [],
		segs_status: verdict ? 'ok' : null,
		delivered_ids: chosen.map(segment => segment.card_id),
		rendered_text: rendered,
		rendered_sha256: rendered === null ? null : sha256(rendered),
		n_beats: chosen.reduce((sum, segment) => sum + segment.beat_ids.length, 0),
		n_chars: chosen.reduce((sum, segment) => sum + codePointLength(segment.text), 0),
		n_candidates: recalled.length,
		ranked_sources:
			target.kind === 'question' && pass.view && pass.recalled ? rankSources(pass.view, pass.recalled) : null,
		max_seen_until: maxSeenUntil(pass.view, recalled),
		card_set_id: setup.cardSetId,
		fingerprint: setup.embedder.fingerprint,
		prompt_shas: {},
		models: {shortlist: shortlister.id, judge: judge.id},
		n_model_calls:
			(shortlister.isLanguageModel && recalled.length > 0 ? 1 : 0) + (judge.isLanguageModel && judged ? 1 : 0),
		degraded: false,
		timings: pass.timings,
		latency_ms: latency,
		candidates: recalled.flatMap((candidate, i) =>
			candidate.routes.map(route => ({
				...route,
				candidate_id: candidate.card_id,
				kind: 'card' as const,
				pool_rank: i + 1,
			})),
		),
	};
}

function poolOf(label: JudgeLabel | null, chosen: number): Exposure['pool'] {
	if (label === null) return 'not_judged';
	return chosen > 0 ? 'delivered' : 'rejected';
}

function maxSeenUntil(view: View | null, candidates: readonly {card: number}[]): number | null {
	if (!view) return null;
	const seen = candidates.flatMap(({card}) => view.memory.cards[card]!.seen_until ?? []);
	return seen.length === 0 ? null : Math.max(...seen);
}
