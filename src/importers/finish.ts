import {contentId, sha256, shaOf} from '../core/ids.js';
import type {Instant} from '../core/time.js';
import type {Conversation, ConversationKind, Message, TimeQuality} from '../domain/conversation.js';
import {cleanJson, cleanText, type TextRepair} from './clean.js';
import type {ConversationDraft, MessageDraft} from './port.js';

/** What a draft does not know of itself. */
export interface FinishOptions {
	/** Id of the importer. */
	readonly format: string;
	readonly source_id: string;
	/** The line for conversations whose format fixes none. */
	readonly line: string;
	/** Overrides the kind that the importer told. */
	readonly kind?: ConversationKind;
	/** How many conversations of the same source with the same `openingOf` came before this one. */
	readonly occurrence?: number;
}

/** Something odd in one conversation. */
export interface FinishWarning {
	readonly kind:
		| 'duplicate_message'
		| 'dangling_parent'
		| 'parent_cycle'
		| 'nul_removed'
		| 'lone_surrogate'
		| 'time_order';
	/** Conversation, message and place in it. */
	readonly where: string;
	readonly detail: string;
	readonly count: number;
}

export interface FinishedConversation {
	readonly conversation: Conversation;
	readonly messages: readonly Message[];
	readonly warnings: readonly FinishWarning[];
}

/**
 * What identifies a conversation that has no native id: the (role, text, time) of its messages up to the first one of
 * role user. File name, place in the file and whatever was appended later play no part. A system prompt alone is
 * shared by many conversations, so the opening goes on to the first words of a person; while there are none, it is
 * all there is. Conversations that open alike are told apart by `FinishOptions.occurrence`.
 * @returns sha256, or null when the draft has a native id and needs no opening
 */
export function openingOf(draft: ConversationDraft): string | null {
	if (draft.native_id !== null) return null;
	return shaOf(openingMessages(draft).map(({role, text, created_at}) => [role, cleanText(text, '', []), created_at]));
}

/** Whether the opening has a time, which makes it hard for two talks to share it. */
export const isOpeningTimed = (draft: ConversationDraft): boolean =>
	openingMessages(draft).some(({created_at}) => created_at !== null);

function openingMessages({messages}: ConversationDraft): readonly MessageDraft[] {
	const first = messages.findIndex(message => message.role === 'user');
	return first < 0 ? messages : messages.slice(0, first + 1);
}

/** The id of a conversation without a native one. */
export const openedId = (format: string, opening: string, occurrence: number): string =>
	contentId('v', format, null, opening, occurrence);

/**
 * Gives a draft its ids, order and time qualities, and cleans its texts. Pure: the same draft gives the same rows.
 *
 * Ids. Conversation: format + native id, else format + opening + occurrence. Message: format + native conversation id
 * + native message id (conversation id where it has no native one); without a native id: conversation id + ordinal in
 * the export + role + sha of the text. The line is no part of an id, as the spec has it.
 *
 * A native id that comes again keeps the place and time of its first record and takes the content of its last.
 */
export function finishConversation(draft: ConversationDraft, options: FinishOptions): FinishedConversation {
	const {format, source_id, line, kind = draft.kind, occurrence = 0} = options;
	const opening = openingOf(draft);
	const nativeId = draft.native_id;
	const conversation_id =
		nativeId === null ? openedId(format, opening ?? '', occurrence) : contentId('v', format, nativeId);
	const place = `conversation ${nativeId ?? conversation_id}`;
	const repairs: TextRepair[] = [];
	const {drafts, duplicates} = mergeDuplicates(draft.messages);
	const identify = (message: PlacedDraft): string => messageId({format, nativeId, conversation_id}, message);
	const cleaned = drafts.map(message => cleanMessage(message, repairs));
	const ids = cleaned.map(identify);
	const parents = resolveParents(cleaned, ids, place);
	const messages = giveTimes(cleaned).map(({draft: message, created_at, time_quality}, seq): Message => {
		const {role, speaker, text, authorship, status, is_visible, attachments, raw, native_id} = message;
		const message_id = ids[seq] ?? '';
		const parent_id = parents.ids[seq] ?? null;
		const times = {created_at, time_quality};
		const rest = {role, speaker, text, authorship, status, is_visible, attachments, raw};
		return {message_id, conversation_id, seq, native_id, parent_id, ...rest, ...times};
	});
	const {created_at, updated_at, do_not_remember} = draft;
	const conversation: Conversation = {
		conversation_id,
		source_id,
		native_id: nativeId,
		title: draft.title === null ? null : cleanText(draft.title, 'title', repairs),
		created_at,
		updated_at,
		kind,
		line: draft.line ?? line,
		do_not_remember,
		extra: cleanJson(draft.extra, 'extra', repairs) as Conversation['extra'],
	};
	const warnings = [
		...one('duplicate_message', place, duplicates, 'native ids that come more than once; the last content is kept'),
		...parents.warnings,
		...repairs.map(repair => warningOf(repair, place)),
		...one('time_order', place, contradictions(messages), 'messages that are older than one before them'),
	];
	return {conversation, messages, warnings};
}

/** A draft with its place among all records of the conversation, duplicates included. */
interface PlacedDraft extends MessageDraft {
	readonly ordinal: number;
}

function one(kind: FinishWarning['kind'], where: string, count: number, detail: string): FinishWarning[] {
	return count === 0 ? [] : [{kind, where, count, detail: `${count} ${detail}`}];
}

const warningOf = ({kind, count, place, offset}: TextRepair, where: string): FinishWarning => ({
	kind,
	where: `${where} ${place} at ${offset}`,
	count,
	detail: kind === 'nul_removed' ? `${count} NUL removed` : `${count} lone surrogates replaced by U+FFFD`,
});

function mergeDuplicates(messages: readonly MessageDraft[]): {drafts: PlacedDraft[]; duplicates: number} {
	const places = new Map<string, number>();
	const drafts: PlacedDraft[] = [];
	for (const [ordinal, message] of messages.entries()) {
		const id = message.native_id;
		const before = id === null ? undefined : places.get(id);
		const first = before === undefined ? undefined : drafts[before];
		if (before === undefined || !first) {
			if (id !== null) places.set(id, drafts.length);
			drafts.push({...message, ordinal});
		} else drafts[before] = {...message, created_at: first.created_at ?? message.created_at, ordinal: first.ordinal};
	}
	return {drafts, duplicates: messages.length - drafts.length};
}

function cleanMessage(message: PlacedDraft, repairs: TextRepair[]): PlacedDraft {
	const name = `message ${message.native_id ?? message.ordinal}`;
	const {speaker} = message;
	const own: TextRepair[] = [];
	const inRaw: TextRepair[] = [];
	const cleaned = {
		...message,
		text: cleanText(message.text, `${name} text`, own),
		speaker: speaker === null ? null : cleanText(speaker, `${name} speaker`, own),
		attachments: cleanJson(message.attachments, `${name} attachments`, own) as MessageDraft['attachments'],
		raw: cleanJson(message.raw, `${name} raw`, inRaw),
	};
	// The raw record repeats the faults of the text; only those of its other parts are news.
	repairs.push(...(own.length > 0 ? own : inRaw));
	return cleaned;
}

interface ConversationIds {
	readonly format: string;
	readonly nativeId: string | null;
	readonly conversation_id: string;
}

function messageId({format, nativeId, conversation_id}: ConversationIds, message: PlacedDraft): string {
	const {native_id, ordinal, role, text} = message;
	if (native_id === null) return contentId('m', conversation_id, ordinal, role, sha256(text));
	// The null keeps a native conversation id from ever meaning the same as a derived one.
	return nativeId === null
		? contentId('m', format, null, conversation_id, native_id)
		: contentId('m', format, nativeId, native_id);
}

function resolveParents(
	drafts: readonly PlacedDraft[],
	ids: readonly string[],
	place: string,
): {ids: (string | null)[]; warnings: FinishWarning[]} {
	const seqs = new Map(drafts.flatMap((draft, seq) => (draft.native_id === null ? [] : [[draft.native_id, seq]])));
	const parents = drafts.map(({parent_native_id: parent}) => (parent === null ? null : (seqs.get(parent) ?? -1)));
	const dangling = parents.filter(parent => parent === -1).length;
	const linked = parents.map(parent => (parent === -1 ? null : parent));
	const cut = cutCycles(linked);
	const warnings = [
		...one('dangling_parent', place, dangling, 'messages answer one that is not there'),
		...one('parent_cycle', place, cut, 'circles of messages that answer each other, cut'),
	];
	return {ids: linked.map(parent => (parent === null ? null : (ids[parent] ?? null))), warnings};
}

/** Cuts each circle of parents at the message where it is found. Changes the array; returns how many were cut. */
function cutCycles(parents: (number | null)[]): number {
	const settled = new Set<number>();
	let cut = 0;
	for (let start = 0; start < parents.length; start += 1) {
		const path = new Set<number>();
		let at: number | null = start;
		while (at !== null && !settled.has(at)) {
			path.add(at);
			const parent: number | null = parents[at] ?? null;
			if (parent !== null && path.has(parent)) {
				parents[at] = null;
				cut += 1;
			}
			at = parents[at] ?? null;
		}
		for (const seq of path) settled.add(seq);
	}
	return cut;
}

interface TimedDraft {
	readonly draft: PlacedDraft;
	readonly created_at: Instant | null;
	readonly time_quality: TimeQuality;
}

/** A message without a time takes that of the message before, marked so; before the first time there is none. */
function giveTimes(drafts: readonly PlacedDraft[]): TimedDraft[] {
	let last: Instant | null = null;
	return drafts.map(draft => {
		const own = draft.created_at;
		last = own ?? last;
		if (own !== null) return {draft, created_at: own, time_quality: draft.time_inherited ? 'inherited' : 'exact'};
		return {draft, created_at: last, time_quality: last === null ? 'missing' : 'inherited'};
	});
}

/** Messages with an exact time before one that stands earlier: before their parent where they have one. */
function contradictions(messages: readonly Message[]): number {
	const times = new Map<string, Instant>();
	let latest = Number.NEGATIVE_INFINITY;
	let count = 0;
	for (const {message_id, parent_id, created_at, time_quality} of messages) {
		if (created_at === null || time_quality !== 'exact') continue;
		const before = parent_id === null ? latest : (times.get(parent_id) ?? latest);
		if (created_at < before) count += 1;
		latest = Math.max(latest, created_at);
		times.set(message_id, created_at);
	}
	return count;
}
