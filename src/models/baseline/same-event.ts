import {formatInstant} from '../../core/time.js';
import {type CardWithBeats, isDeliverable} from '../../domain/card.js';
import {BEATS_PER_CARD_MAX} from '../../stages/extract/constants.js';
import {tokenize} from '../../text/tokens.js';
import type {AggregateAnswer, Aggregator, Batch} from '../tasks.js';
import {titleOf} from './key-terms.js';

/** Two cards tell one event when their source messages overlap by half of the smaller set (as at recall). */
const SAME_EVENT_OVERLAP = 0.5;
/** … or when they follow each other in one conversation and share this share of the smaller one's words. */
const SIMILARITY_MIN = 0.34;
/** Pause within which two cards can be one event, in microseconds: two hours. */
const NEAR_MICROS = 2 * 3600 * 1_000_000;

/** A group of input cards that become one. */
interface Group {
	readonly cards: CardWithBeats[];
	readonly messages: Set<string>;
	readonly words: Set<string>;
	readonly keys: Set<string>;
	last: number;
}

/**
 * Joins fragments of one event by rule: overlap of source messages, or similarity of neighbours. Keeps everything; a
 * joined card stays within the eight beats that an extractor is asked for.
 */
export const sameEventAggregator: Aggregator = {
	id: 'same-event/1',
	promptSha: null,
	isLanguageModel: false,
	async aggregate(batch) {
		const groups: Group[] = [];
		for (const card of batch.cards) {
			const home = groups.findLast(group => belongs(card, group));
			if (home) join(home, card);
			else groups.push(join({cards: [], messages: new Set(), words: new Set(), keys: new Set(), last: 0}, card));
		}
		return {ok: true, value: toAnswer(groups, batch)};
	},
};

const sourcesOf = (card: CardWithBeats): string[] => card.beats.flatMap(beat => beat.message_id ?? []);
const keysOf = (card: CardWithBeats): string[] => card.beats.map(beat => `${beat.message_id} ${beat.quote}`);
const wordsOf = (card: CardWithBeats): Set<string> => new Set(card.beats.flatMap(beat => tokenize(beat.quote)));
const timesOf = (card: CardWithBeats): number[] => card.beats.flatMap(beat => beat.observed_at ?? []);

function belongs(card: CardWithBeats, group: Group): boolean {
	if (new Set([...group.keys, ...keysOf(card)]).size > BEATS_PER_CARD_MAX) return false;
	if (shareOf(new Set(sourcesOf(card)), group.messages) >= SAME_EVENT_OVERLAP) return true;
	if (card.conversation_id !== group.cards[0]?.conversation_id) return false;
	const near = Math.min(...timesOf(card)) - group.last <= NEAR_MICROS;
	return near && shareOf(wordsOf(card), group.words) >= SIMILARITY_MIN;
}

function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
	const smaller = Math.min(a.size, b.size);
	return smaller === 0 ? 0 : [...a].filter(item => b.has(item)).length / smaller;
}

function join(group: Group, card: CardWithBeats): Group {
	group.cards.push(card);
	for (const id of sourcesOf(card)) group.messages.add(id);
	for (const word of wordsOf(card)) group.words.add(word);
	for (const key of keysOf(card)) group.keys.add(key);
	group.last = Math.max(group.last, ...timesOf(card));
	return group;
}

function toAnswer(groups: readonly Group[], batch: Batch): AggregateAnswer {
	return {
		aggregate_log: groups
			.filter(group => group.cards.length > 1)
			.map(group => ({
				source_card_ids: group.cards.map(card => card.card_id),
				result_card_id: group.cards[0]!.card_id,
				reason: 'same source messages, or neighbours with the same words',
			})),
		cards: groups.map(group => ({
			card_id: group.cards[0]!.card_id,
			source_card_ids: group.cards.map(card => card.card_id),
			title:
				group.cards.length === 1
					? group.cards[0]!.title
					: titleOf(group.cards.flatMap(card => card.beats.filter(isDeliverable).map(beat => beat.quote))),
			tags: [...new Set(group.cards.flatMap(card => card.tags))],
			beats: group.cards.flatMap(card =>
				card.beats.map(beat => ({
					quote: beat.quote,
					source_message_id: batch.shortIds.get(beat.message_id ?? '?') ?? '?',
					observed_at: beat.observed_at === null ? null : formatInstant(beat.observed_at),
					context_note: beat.context_note,
				})),
			),
			disposition: 'keep' as const,
			drop_ruler: null,
			drop_reason: null,
		})),
	};
}
