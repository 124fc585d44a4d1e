import {createHash} from 'node:crypto';
import {canonicalJson} from './json.js';

/** Lower-case hex sha256 of UTF-8 text or of bytes. */
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** sha256 of a value's canonical JSON: the same value gives the same hash whatever the order of its keys. */
export const shaOf = (value: unknown): string => sha256(canonicalJson(value));

/** Prefixes of content ids, one a kind of thing. */
export type IdPrefix = 's' | 'v' | 'm' | 'q' | 'k' | 'w' | 'e' | 'c' | 'b' | 'g' | 'n' | 'x' | 'r';

/**
 * An id derived from what identifies the thing, so that making it twice gives one row (spec: store).
 * @param prefix `s` source, `v` conversation, `m` message, `q` question, `k` card set, `w` window, `e` event,
 *   `c` card, `b` beat, `g` aggregate batch, `n` warning, `x` exposure, `r` run
 * @param parts what identifies the thing, in a fixed order
 * @returns prefix, underscore, 16 hex digits of the sha256 of the parts' canonical JSON
 */
export const contentId = (prefix: IdPrefix, ...parts: readonly unknown[]): string =>
	`${prefix}_${shaOf(parts).slice(0, 16)}`;
