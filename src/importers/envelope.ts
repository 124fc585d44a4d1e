import type {Instant} from '../core/time.js';
import {isObject, type JsonObject} from './other-products.js';
import type {ImportContext, MessageDraft, Sample} from './port.js';

/** The member in which some tools wrap the list of conversations. */
const WRAPPER = 'conversations';

/** `conversations` when a file is one object around a list of records of the product, else null. */
export function wrapperOf({shape, records}: Sample, isOurs: (record: unknown) => boolean): typeof WRAPPER | null {
	const first = records[0];
	if (shape !== 'object' || !isObject(first) || isOurs(first)) return null;
	const list = first[WRAPPER];
	return Array.isArray(list) && list.some(isOurs) ? WRAPPER : null;
}

/** Code points of a title that is made from a message. */
const TITLE_MAX = 80;

/** The first line that the user said and could be seen, for conversations without a title; null when there is none. */
function titleFrom(messages: readonly MessageDraft[]): string | null {
	const said = messages.find(({role, is_visible, text}) => role === 'user' && is_visible && text.trim() !== '');
	const line = said?.text.split('\n').find(part => part.trim() !== '');
	return line === undefined ? null : [...line.trim()].slice(0, TITLE_MAX).join('');
}

/** What a conversation record says of itself. */
interface EnvelopeRecord {
	readonly title: unknown;
	readonly created: unknown;
	readonly updated: unknown;
	/** The members that have no column of their own. */
	readonly extra: JsonObject;
	readonly messages: readonly MessageDraft[];
}

interface Envelope {
	readonly title: string | null;
	readonly created_at: Instant | null;
	readonly updated_at: Instant | null;
	readonly extra: JsonObject | null;
}

/**
 * Title and times of a conversation. A missing title stays null; the first line of the user goes to
 * `extra.title_derived`. A missing time of creation is that of the last update, else of the earliest message;
 * `extra.created_at_source` then says which.
 */
export function envelopeOf(record: EnvelopeRecord, where: string, context: ImportContext): Envelope {
	const {created, updated, messages} = record;
	const title = typeof record.title === 'string' && record.title.trim() !== '' ? record.title : null;
	const derived = title === null ? titleFrom(messages) : null;
	const updated_at = context.time(updated, where);
	const own = context.time(created, where);
	const times = messages.flatMap(({created_at}) => (created_at === null ? [] : [created_at]));
	const earliest = times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b));
	const source =
		own !== null ? null : updated_at !== null ? 'updated_at' : earliest !== null ? 'first_message' : 'none';
	const extra = {
		...record.extra,
		...(derived === null ? {} : {title_derived: derived}),
		...(source === null ? {} : {created_at_source: source}),
	};
	return {
		title,
		created_at: own ?? updated_at ?? earliest,
		updated_at,
		extra: Object.keys(extra).length === 0 ? null : extra,
	};
}

/** The members of a record that are not among the named ones. */
export const membersBeside = (record: JsonObject, known: ReadonlySet<string>): JsonObject =>
	Object.fromEntries(Object.entries(record).filter(([key]) => !known.has(key)));
