import {contentId} from '../../core/ids.js';
import {compareStrings} from '../../core/json.js';
import type {Day, Instant} from '../../core/time.js';
import type {CardWithBeats} from '../../domain/card.js';
import type {Batch} from '../../models/tasks.js';
import {codePointLength} from '../../text/code-points.js';
import {BATCH_CARDS_MAX, BATCH_CHARS_MAX} from './constants.js';

/** A batch with what the program needs to judge its answer. */
export interface PlannedBatch extends Batch {
	readonly line: string;
	readonly day: Day;
	/** Chunk of the day, from 0. */
	readonly ordinal: number;
	/** Latest seen_until of the input: the aggregator was shown all of it. */
	readonly seen_until: Instant | null;
	/** The same as an order, when the batch lies in one conversation. */
	readonly seen_until_seq: number | null;
	/** The one conversation, or null. */
	readonly conversation_id: string | null;
}

/** First moment of a card, for the order within a day. */
const startOf = (card: CardWithBeats): number => Math.min(...card.beats.map(beat => beat.observed_at ?? Infinity));

/** Time order; cards without time keep the order of their conversation; ties by id. */
const byTime = (a: CardWithBeats, b: CardWithBeats): number => {
	const [x, y] = [startOf(a), startOf(b)];
	if (x !== y) return x < y ? -1 : 1;
	return (
		compareStrings(a.conversation_id ?? '', b.conversation_id ?? '') ||
		(a.seen_until_seq ?? 0) - (b.seen_until_seq ?? 0) ||
		a.ordinal - b.ordinal ||
		compareStrings(a.card_id, b.card_id)
	);
};

const sizeOf = (card: CardWithBeats): number =>
	card.beats.reduce(
		(sum, beat) => sum + codePointLength(beat.quote) + codePointLength(beat.context_note),
		codePointLength(card.title),
	);

/**
 * Chunks the cards of one day of a line into batches: time order, neighbours together, at most 40 cards or 12 000
 * code points (a single larger card is a batch by itself).
 */
export function planBatches(
	line: string,
	day: Day,
	cards: readonly CardWithBeats[],
	cardSetId: string,
): PlannedBatch[] {
	const chunks: CardWithBeats[][] = [];
	let size = 0;
	for (const card of [...cards].sort(byTime)) {
		const chunk = chunks.at(-1);
		const cost = sizeOf(card);
		if (!chunk || chunk.length >= BATCH_CARDS_MAX || size + cost > BATCH_CHARS_MAX) {
			chunks.push([card]);
			size = cost;
		} else {
			chunk.push(card);
			size += cost;
		}
	}
	return chunks.map((chunk, ordinal) => toBatch(line, day, ordinal, chunk, cardSetId));
}

function toBatch(
	line: string,
	day: Day,
	ordinal: number,
	cards: readonly CardWithBeats[],
	cardSetId: string,
): PlannedBatch {
	const messageIds = [...new Set(cards.flatMap(card => card.beats.map(beat => beat.message_id ?? '?')))];
	const times = cards.flatMap(card => (card.seen_until === null ? [] : [card.seen_until]));
	const conversations = new Set(cards.map(card => card.conversation_id));
	const single = conversations.size === 1;
	return {
		batch_id: contentId(
			'g',
			cardSetId,
			line,
			day,
			cards.map(card => card.card_id),
		),
		line,
		day,
		ordinal,
		cards,
		shortIds: new Map(messageIds.map((id, i) => [id, `m${i + 1}`])),
		seen_until: times.length === 0 ? null : Math.max(...times),
		seen_until_seq: single ? Math.max(...cards.map(card => card.seen_until_seq ?? 0)) : null,
		conversation_id: single ? [...conversations][0]! : null,
	};
}
