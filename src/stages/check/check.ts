import type {Zone} from '../../core/time.js';
import type {CheckStore, Finding, SeenByExposure} from '../../ports/store.js';
import {quoteLine} from '../../text/normalize.js';
import {isBefore} from '../recall/as-of.js';

/** Findings of every check, the leak check last. */
export async function* check(store: CheckStore, zone: Zone): AsyncGenerator<Finding> {
	yield* store.findings();
	for await (const {exposure_id, beat_id, quote, text} of store.shownBeats()) {
		if (!text.includes(quoteLine(quote))) yield {kind: 'delivered_not_rendered', where: exposure_id, detail: beat_id};
	}
	for await (const seen of store.seenByExposures()) {
		const detail = leakOf(seen, zone);
		if (detail) yield {kind: 'leak', where: seen.exposure_id, detail: `${seen.card_id}: ${detail}`};
	}
}

/**
 * Proves that an exposure could know a card at its cutoff: all that the card's writer was shown, and all that its
 * beats quote, came before it, and had been processed by then.
 * @returns what was seen too early, or null
 */
export function leakOf(seen: SeenByExposure, zone: Zone): string | null {
	const {cutoff, seen_until, last_said, last_seq, cutoff_seq, availability} = seen;
	if (cutoff !== null && seen_until !== null && seen_until >= cutoff) return 'written with sight of later messages';
	if (cutoff !== null && last_said !== null && last_said >= cutoff) return 'quotes a later message';
	if (seen.cutoff_basis === 'end') return null;
	if (cutoff_seq !== null && last_seq !== null && last_seq >= cutoff_seq)
		return 'quotes what was said after the target in its conversation';
	const at = {basis: seen.cutoff_basis, at: cutoff, conversation_id: seen.target_conversation, seq: seen.cutoff_seq};
	if (!isBefore(seen, seen.card_conversation, at, availability, zone)) return 'not processed by then';
	return null;
}
