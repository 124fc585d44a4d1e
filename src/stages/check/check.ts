import type {Zone} from '../../core/time.js';
import type {CheckStore, Finding, SeenByExposure} from '../../ports/store.js';
import {isBefore} from '../recall/as-of.js';

/** Findings of every check, the leak check last. */
export async function* check(store: CheckStore, zone: Zone): AsyncGenerator<Finding> {
	yield* store.findings();
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
	const {cutoff, seen_until, last_said, availability} = seen;
	if (cutoff !== null && seen_until !== null && seen_until >= cutoff) return 'written with sight of later messages';
	if (cutoff !== null && last_said !== null && last_said >= cutoff) return 'quotes a later message';
	if (seen.cutoff_basis === 'end') return null;
	const at = {basis: seen.cutoff_basis, at: cutoff, conversation_id: seen.target_conversation, seq: seen.cutoff_seq};
	if (!isBefore(seen, seen.card_conversation, at, availability, zone)) return 'not processed by then';
	return null;
}
