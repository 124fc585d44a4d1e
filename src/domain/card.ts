import type {Day, Instant} from '../core/time.js';
import type {Verification} from '../text/quotes.js';
import type {ConversationKind, Role} from './conversation.js';

/** The day of messages that have no time. */
export const NO_DAY = 'none';

/** A stretch of a message that a window shows. */
export interface WindowPart {
	readonly message_id: string;
	readonly seq: number;
	/** Code points of the message's text; a whole message is 0 to its length. */
	readonly start: number;
	readonly end: number;
	readonly text: string;
	readonly role: Role;
	readonly speaker: string | null;
	readonly created_at: Instant | null;
	/** Whether the words are a person's (`isPersonal`). */
	readonly personal: boolean;
	/** True when the window before has shown this part too. */
	readonly repeated: boolean;
}

/** What an extractor sees at once. Parts are in order; the short id of part i is `m${i + 1}`. */
export interface Window {
	readonly window_id: string;
	readonly conversation_id: string;
	readonly kind: ConversationKind;
	readonly line: string;
	/** A day of the memory zone, or `none`. */
	readonly day: Day | typeof NO_DAY;
	/** Place among the windows of its conversation and day, from 0. */
	readonly ordinal: number;
	readonly parts: readonly WindowPart[];
	readonly n_user: number;
	/** Code points of the rendered window. */
	readonly n_chars: number;
	/** Time of the latest message shown; null when none has a time. */
	readonly seen_until: Instant | null;
	/** Order of the latest message shown. */
	readonly seen_until_seq: number;
}

/** One thing that an extractor listed, made a card or not. */
export interface Event {
	readonly event_id: string;
	readonly card_set_id: string;
	readonly window_id: string;
	readonly ordinal: number;
	readonly summary: string;
	readonly related_message_ids: readonly string[];
	readonly carded: boolean;
	readonly reason: string;
}

export type Disposition = 'keep' | 'drop';

/** A card without its beats. */
export interface Card {
	readonly card_id: string;
	readonly card_set_id: string;
	/** Exactly one of window_id and batch_id is set: what made the card. */
	readonly window_id: string | null;
	readonly batch_id: string | null;
	readonly line: string;
	/** Null when a batch spans conversations. */
	readonly conversation_id: string | null;
	readonly day: Day | typeof NO_DAY;
	readonly ordinal: number;
	readonly title: string;
	readonly tags: readonly string[];
	/** The text was forwarded, not said by the speaker. */
	readonly relay_quote: boolean;
	readonly source_card_ids: readonly string[];
	readonly disposition: Disposition;
	readonly drop_ruler: string | null;
	readonly drop_reason: string | null;
	/** Time of the latest message that the writer of title, tags and notes was shown. */
	readonly seen_until: Instant | null;
	/** The same as an order in the conversation, for messages without time. */
	readonly seen_until_seq: number | null;
}

/** A verbatim quote with its source. */
export interface Beat {
	readonly beat_id: string;
	readonly card_id: string;
	readonly ordinal: number;
	/** Null when the source that the extractor named does not exist. */
	readonly message_id: string | null;
	/** Code points, end exclusive; null when the quote was not found. */
	readonly char_start: number | null;
	readonly char_end: number | null;
	readonly quote: string;
	readonly role: Role | null;
	readonly speaker: string | null;
	/** The source message's own time. */
	readonly observed_at: Instant | null;
	readonly context_note: string;
	readonly verification: Verification;
	/** The beat of the same card that says the same and lives. */
	readonly absorbed_by: string | null;
	/** Why the program keeps the beat out of reading. */
	readonly filtered_reason: FilterReason | null;
}

export type FilterReason = 'unknown_source' | 'assistant_too_long' | 'assistant_extra';

export interface CardWithBeats extends Card {
	readonly beats: readonly Beat[];
}

/** Something that the program noticed about a window, a card or a batch. */
export interface CardWarning {
	readonly warning_id: string;
	readonly card_set_id: string;
	readonly window_id: string | null;
	readonly batch_id: string | null;
	readonly card_id: string | null;
	readonly kind: string;
	readonly detail: string;
}

/** Two beats with one key are the same beat twice (spec: cards). */
export const beatKey = (beat: Pick<Beat, 'message_id' | 'quote'>): string => `${beat.message_id}\u0000${beat.quote}`;

/** Of a card's beats with one key, the first deliverable one lives and absorbs the others. */
export function absorbEqual(beats: readonly Beat[]): Beat[] {
	const living = new Map<string, string>();
	for (const beat of beats) {
		if (isDeliverable(beat) && !living.has(beatKey(beat))) living.set(beatKey(beat), beat.beat_id);
	}
	return beats.map(beat => {
		const winner = living.get(beatKey(beat));
		return winner && winner !== beat.beat_id && beat.message_id !== null ? {...beat, absorbed_by: winner} : beat;
	});
}

/** Beats that recall may read: verified, not filtered, not absorbed. */
export const isDeliverable = (beat: Pick<Beat, 'verification' | 'filtered_reason' | 'absorbed_by'>): boolean =>
	beat.verification !== 'none' && beat.filtered_reason === null && beat.absorbed_by === null;
