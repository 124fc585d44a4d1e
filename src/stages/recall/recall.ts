import type {Arm} from '../../arms/arm.js';
import type {ExposureCandidate, Route} from '../../domain/exposure.js';
import type {MemoryBeat} from '../../ports/store.js';
import {dotRows, roundScore, spreadOf} from '../../search/vectors.js';
import {tokenize} from '../../text/tokens.js';
import type {View} from './memory.js';
import type {Queries} from './query.js';

export interface RecallInput {
	readonly view: View;
	readonly queries: Queries;
	/** Vectors of Q1 and Q2. */
	readonly vectors: readonly [Float32Array, Float32Array];
	readonly arm: Arm;
	/** Whether the relation slot is on: it decides how wide the card routes are. */
	readonly relationOn: boolean;
}

/** A card of the pool. */
export interface Candidate {
	readonly card_id: string;
	/** Index into the line's cards. */
	readonly card: number;
	/** What orders the pool: the best route score, or the fused score. */
	readonly score: number;
	readonly routes: readonly Omit<ExposureCandidate, 'candidate_id' | 'kind' | 'pool_rank'>[];
}

export interface Recalled {
	/** In the arm's order. */
	readonly candidates: readonly Candidate[];
	/** Score of each beat of the line by which it is ranked; meaningless where it is not visible. */
	readonly beatScores: Float64Array;
	/** Standardised cosine of each beat with Q1 among the visible ones. */
	readonly q1Spread: Float64Array;
}

/** Scores of one route: of cards, and of beats where the route reads beats. */
interface RouteScores {
	readonly route: Route;
	readonly top: number;
	/** By index of card; -Infinity where the card has no score. */
	readonly cards: Float64Array;
}

/**
 * Finds what may be related (seed 1, 在线召回): each route takes its own best cards, the union is the pool, and no common
 * threshold cuts it. Ties fall to the card id, since cards are in id order.
 */
export function recall({view, queries, vectors, arm, relationOn}: RecallInput): Recalled {
	const {memory} = view;
	const [q1, q2] = vectors;
	const cosines = {q1: dotRows(memory.m4, q1), q2: dotRows(memory.m4, q2)};
	const words = memory.lexical ? memory.lexical.score(tokenize(queries.q1), view.beatMask) : null;
	const topOf = (route: {top: number; top_alone: number} | null): number =>
		route ? (relationOn ? route.top : route.top_alone) : 0;
	const titles = (query: Float32Array) => () => titleScores(view, dotRows(memory.m2, query));
	const ways: [Route, () => Float64Array][] = [
		['q1_m2', titles(q1)],
		['q2_m2', titles(q2)],
		['q1_m4', () => bestOfBeats(view, cosines.q1, toUnit)],
		['q2_m4', () => bestOfBeats(view, cosines.q2, toUnit)],
		['lexical', () => bestOfBeats(view, words ?? new Float64Array(memory.beats.length), roundScore, true)],
	];
	const routes = ways
		.filter(([route]) => arm.routes[route] !== null)
		.map(([route, score]): RouteScores => ({route, top: topOf(arm.routes[route]), cards: score()}));
	const beatScores = scoreBeats(view, cosines, words, arm);
	return {
		candidates: pool(view, routes, bestOfBeats(view, beatScores, roundScore), arm),
		beatScores,
		q1Spread: standardise(view, cosines.q1),
	};
}

/** "归一余弦为 (cos+1)/2" (seed 1) */
const toUnit = (cosine: number): number => roundScore((cosine + 1) / 2);

function titleScores(view: View, cosines: Float64Array): Float64Array {
	const scores = new Float64Array(view.memory.cards.length).fill(-Infinity);
	for (const card of view.cards) scores[card] = toUnit(cosines[card]!);
	return scores;
}

/** "卡分取拍分最大值" (seed 1) */
function bestOfBeats(
	view: View,
	beats: Float64Array,
	finish: (score: number) => number,
	positiveOnly = false,
): Float64Array {
	const scores = new Float64Array(view.memory.cards.length).fill(-Infinity);
	for (const beat of view.beats) {
		const card = view.memory.cardOfBeat[beat]!;
		const score = finish(beats[beat]!);
		if (score > scores[card]! && !(positiveOnly && score <= 0)) scores[card] = score;
	}
	return scores;
}

/** What ranks beats: cosine with Q2 in the seed's way, or standardised cosines and BM25 added by the arm's weights. */
function scoreBeats(
	view: View,
	cosines: {q1: Float64Array; q2: Float64Array},
	words: Float64Array | null,
	arm: Arm,
): Float64Array {
	if (arm.order === 'best_route') return cosines.q2.map(toUnit);
	const {fusion} = arm;
	const parts: [number, Float64Array][] = [
		[fusion.q1, standardise(view, cosines.q1)],
		[fusion.q2, standardise(view, cosines.q2)],
	];
	if (words) parts.push([lexicalWeight(view, words, arm), standardise(view, words)]);
	const scores = new Float64Array(view.memory.beats.length);
	for (const beat of view.beats) {
		let sum = 0;
		for (const [weight, values] of parts) if (weight > 0) sum += weight * values[beat]!;
		scores[beat] = roundScore(sum);
	}
	return scores;
}

/** Words say more the fewer beats share them: the weight grows with the share of visible beats that share none. */
function lexicalWeight(view: View, words: Float64Array, {fusion}: Arm): number {
	if (view.beats.length === 0) return fusion.lexical;
	let without = 0;
	for (const beat of view.beats) if (words[beat] === 0) without++;
	return fusion.lexical + (fusion.lexical_selective * without) / view.beats.length;
}

function standardise(view: View, values: Float64Array): Float64Array {
	const {mean, deviation} = spreadOf(values, view.beats);
	return values.map(value => (value - mean) / deviation);
}

function pool(view: View, routes: readonly RouteScores[], fused: Float64Array, arm: Arm): Candidate[] {
	const found = new Map<number, {route: Route; rank: number; score: number}[]>();
	for (const {route, top, cards} of routes) {
		topCards(cards, top).forEach((card, i) => {
			const entry = {route, rank: i + 1, score: cards[card]!};
			const entries = found.get(card);
			if (entries) entries.push(entry);
			else found.set(card, [entry]);
		});
	}
	const candidates = [...found].map(([card, entries]) => ({
		card,
		card_id: view.memory.cards[card]!.card_id,
		routes: entries,
		score: arm.order === 'fusion' ? fused[card]! : bestVectorScore(entries),
	}));
	return candidates.sort((a, b) => b.score - a.score || a.card - b.card);
}

/** BM25 has another scale than the cosines, so it orders only what no vector route found. */
function bestVectorScore(entries: readonly {route: Route; score: number}[]): number {
	return Math.max(...entries.map(({route, score}) => (route === 'lexical' ? 0 : score)));
}

/** Indexes of the best cards, best first, ties to the smaller index. */
function topCards(scores: Float64Array, top: number): number[] {
	const cards: number[] = [];
	for (let card = 0; card < scores.length; card++) if (scores[card]! > -Infinity) cards.push(card);
	return cards.sort((a, b) => scores[b]! - scores[a]! || a - b).slice(0, top);
}

/** Visible beats of the pool by beat score, ties by message order, before any crop. */
export function rankBeats(view: View, recalled: Recalled): MemoryBeat[] {
	const inPool = new Set(recalled.candidates.map(candidate => candidate.card));
	const {beats, cardOfBeat} = view.memory;
	return view.beats
		.filter(beat => inPool.has(cardOfBeat[beat]!))
		.sort((a, b) => recalled.beatScores[b]! - recalled.beatScores[a]! || byMessage(beats[a]!, beats[b]!) || a - b)
		.map(beat => beats[beat]!);
}

/** Source messages of the pool in the order in which its ranked beats name them. */
export const rankSources = (view: View, recalled: Recalled): string[] => [
	...new Set(rankBeats(view, recalled).map(beat => beat.message_id)),
];

function byMessage(
	a: {observed_at: number | null; seq: number; char_start: number},
	b: {observed_at: number | null; seq: number; char_start: number},
): number {
	return (a.observed_at ?? 0) - (b.observed_at ?? 0) || a.seq - b.seq || a.char_start - b.char_start;
}
