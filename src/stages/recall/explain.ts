import type {Arm} from '../../arms/arm.js';
import {formatInstant, type Zone} from '../../core/time.js';
import {HindcastError} from '../../errors.js';
import type {CardState} from '../../ports/store.js';
import {isBefore, isVisible, visibleFrom} from './as-of.js';
import type {View} from './memory.js';
import type {Recalled} from './recall.js';

/** Why a card was not among the candidates. */
export type WhyNot =
	| 'dropped'
	| 'superseded'
	| 'no_verified_beats'
	| 'other_card_set'
	| 'other_line'
	| 'cutoff'
	| 'replaced'
	| 'rank';

export interface Explanation {
	readonly card_id: string;
	readonly in_pool: boolean;
	readonly pool_rank: number | null;
	/** Null when it is in the pool. */
	readonly why_not: {readonly reason: WhyNot; readonly detail: string} | null;
	/** Scores of its beats as ranked, best first; empty when it cannot be seen. */
	readonly beats: readonly {readonly beat_id: string; readonly quote: string; readonly score: number}[];
	readonly routes: Recalled['candidates'][number]['routes'];
	/** Scores of the first twenty of the pool, best first. */
	readonly top_scores: readonly number[];
	readonly text: string;
}

export interface ExplainContext {
	readonly view: View;
	readonly recalled: Recalled;
	readonly arm: Arm;
	readonly zone: Zone;
	readonly cardSetId: string;
	readonly store: {cardState(cardSetId: string, cardId: string): Promise<CardState | null>};
}

/**
 * Where a card ranks for a target, and if it was not seen, why.
 * @throws CARD_UNKNOWN when the file has no such card
 */
export async function explainCard(cardId: string, context: ExplainContext): Promise<Explanation> {
	const {view, recalled} = context;
	const state = await context.store.cardState(context.cardSetId, cardId);
	if (!state) throw new HindcastError('CARD_UNKNOWN', {message: `There is no card ${cardId}.`});
	const rank = recalled.candidates.findIndex(candidate => candidate.card_id === cardId);
	const whyNot = rank >= 0 ? null : explainAbsence(cardId, state, context);
	const beats = beatScores(cardId, view, recalled);
	const explanation = {
		card_id: cardId,
		in_pool: rank >= 0,
		pool_rank: rank >= 0 ? rank + 1 : null,
		why_not: whyNot,
		beats,
		routes: recalled.candidates[rank]?.routes ?? [],
		top_scores: recalled.candidates.slice(0, 20).map(candidate => candidate.score),
	};
	return {...explanation, text: toText(explanation)};
}

function explainAbsence(cardId: string, state: CardState, {view, arm, zone}: ExplainContext): Explanation['why_not'] {
	if (!state.in_set) return {reason: 'other_card_set', detail: `belongs to ${state.card_set_id}`};
	if (state.line !== view.memory.line) return {reason: 'other_line', detail: `belongs to line ${state.line}`};
	if (state.state !== 'live') return {reason: 'superseded', detail: 'a newer import has changed its source'};
	if (state.disposition === 'drop' && !arm.include_dropped) {
		return {reason: 'dropped', detail: `${state.drop_ruler ?? ''} ${state.drop_reason ?? ''}`.trim()};
	}
	const card = view.memory.cardById.get(cardId);
	if (!card) return {reason: 'no_verified_beats', detail: 'none of its quotes was found in its message'};
	if (!isBefore(card, card.conversation_id, view.cutoff, arm.availability, zone)) {
		const from =
			card.seen_until === null
				? 'its place in the conversation'
				: formatInstant(visibleFrom(card.seen_until, arm.availability, zone));
		return {reason: 'cutoff', detail: `can be seen from ${from}`};
	}
	if (!isVisible(card, view.cutoff, arm.availability, zone)) {
		return {reason: 'replaced', detail: 'the second review has joined it into another card'};
	}
	return {reason: 'rank', detail: 'no route had it among its best'};
}

function beatScores(cardId: string, view: View, recalled: Recalled): Explanation['beats'] {
	const card = view.memory.cardById.get(cardId);
	if (!card) return [];
	return card.beats
		.map(beat => ({index: view.memory.beatIndex.get(beat.beat_id)!, beat}))
		.filter(({index}) => view.beatMask[index] === 1)
		.map(({index, beat}) => ({beat_id: beat.beat_id, quote: beat.quote, score: recalled.beatScores[index]!}))
		.sort((a, b) => b.score - a.score);
}

function toText({card_id, pool_rank, why_not, beats, routes, top_scores}: Omit<Explanation, 'text'>): string {
	const found = why_not
		? `not seen: ${why_not.reason} (${why_not.detail})`
		: `in the pool at ${pool_rank}, found by ${routes.map(({route, rank, score}) => `${route}#${rank} ${score}`).join(', ')}`;
	const lines = beats.slice(0, 5).map(({quote, score}) => `  ${score.toFixed(4)}  「${quote}」`);
	const spread =
		top_scores.length > 0 ? `top scores ${top_scores.map(score => score.toFixed(3)).join(' ')}` : 'the pool is empty';
	return [`${card_id}: ${found}`, ...lines, spread].join('\n');
}
