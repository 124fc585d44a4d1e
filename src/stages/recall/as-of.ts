import type {Instant, Zone} from '../../core/time.js';
import type {Availability} from '../../domain/exposure.js';
import type {MemoryCard} from '../../ports/store.js';
import {NIGHTLY_CLOCK} from './constants.js';

/** What a target may see: everything before an instant, before a place in its conversation, or all there is. */
export interface Cutoff {
	readonly basis: 'time' | 'order' | 'end';
	/** Exclusive; null when the target has no time. */
	readonly at: Instant | null;
	/** The target's conversation and place, for messages without time. */
	readonly conversation_id: string | null;
	readonly seq: number | null;
}

/** Everything in the file. `at` is informative: the first instant from which all of it can be seen. */
export const endOf = (at: Instant | null): Cutoff => ({basis: 'end', at, conversation_id: null, seq: null});

/** How far something had been seen when it was written. */
interface Seen {
	readonly seen_until: Instant | null;
	readonly seen_until_seq: number | null;
}

/**
 * When something written with sight of messages up to `seenUntil` can first be read: at 06:00 of the next day in the
 * memory zone (nightly), or right after that moment (immediate).
 */
export function visibleFrom(seenUntil: Instant, availability: Availability, zone: Zone): Instant {
	if (availability === 'immediate') return seenUntil + 1;
	return zone.at(zone.nextDay(zone.dayOf(seenUntil)), NIGHTLY_CLOCK);
}

/** Whether something seen so far existed, and had been processed, at the cutoff. */
export function isBefore(
	seen: Seen,
	conversationId: string | null,
	cutoff: Cutoff,
	availability: Availability,
	zone: Zone,
): boolean {
	if (cutoff.basis === 'end') return true;
	// Within the target's own conversation its order decides too: where a clock goes back, the order wins.
	if (conversationId !== null && conversationId === cutoff.conversation_id) {
		if (seen.seen_until_seq !== null && cutoff.seq !== null && seen.seen_until_seq >= cutoff.seq) return false;
	}
	if (seen.seen_until !== null && cutoff.at !== null) {
		return visibleFrom(seen.seen_until, availability, zone) <= cutoff.at;
	}
	// Without times on both sides only the order within one conversation tells what came first.
	return (
		conversationId !== null &&
		conversationId === cutoff.conversation_id &&
		seen.seen_until_seq !== null &&
		cutoff.seq !== null &&
		seen.seen_until_seq < cutoff.seq
	);
}

/** Whether this version of a card is the one that was valid at the cutoff. */
export function isVisible(card: MemoryCard, cutoff: Cutoff, availability: Availability, zone: Zone): boolean {
	if (!isBefore(card, card.conversation_id, cutoff, availability, zone)) return false;
	if (cutoff.basis !== 'end' && card.beats.some(beat => isAtOrAfter(beat, cutoff))) return false;
	return card.replaced === null || !isBefore(card.replaced, card.conversation_id, cutoff, availability, zone);
}

/** Whether a beat was said at or after the target in the target's own conversation. */
const isAtOrAfter = (beat: {conversation_id: string; seq: number}, cutoff: Cutoff): boolean =>
	beat.conversation_id === cutoff.conversation_id && cutoff.seq !== null && beat.seq >= cutoff.seq;
