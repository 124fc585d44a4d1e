import {z} from 'zod';
import type {ConversationKind} from '../domain/conversation.js';
import {
	authorshipOf,
	contentOf,
	ID_KEYS,
	idOf,
	ORDINAL_KEYS,
	PARENT_KEYS,
	roleOf,
	speakerOf,
	TEXT_KEYS,
	TIME_KEYS,
	timeOf,
	UPDATED_KEYS,
} from './fields.js';
import {layoutOfFile, placeOf, readGood} from './json-records.js';
import {isObject, type JsonObject, productOf} from './other-products.js';
import type {ConversationDraft, ImportContext, Importer, ImportFile, MessageDraft, Sample} from './port.js';
import {RowGroups} from './rows.js';

/** Members that name the conversation of a row. */
const CONVERSATION_KEYS = ['conversation_id', 'conversation', 'session_id', 'thread_id', 'chat_id'] as const;
/** Members that hold the messages of a conversation. */
const LIST_KEYS = ['messages', 'conversations'] as const;
const TITLE_KEYS = ['title', 'name'] as const;
/** Key of rows that name no conversation: all of them are one. */
const NO_KEY = '';
/** Elements of a list that are looked at to tell messages from other things. */
const LOOK_MAX = 5;

const Envelope = z.looseObject({
	kind: z.enum(['assistant', 'people']).optional().catch(undefined),
	do_not_remember: z.boolean().optional().catch(undefined),
});

/** Messages of no particular product: `{messages: […]}` alone, in an array or a line each; a bare list; rows. */
export const openai: Importer = {
	id: 'openai',
	version: 1,
	looksFor: 'messages with a role and a text: lists under "messages", a bare list, or one message a line',
	sniff: sample => isWrapped(sample) || sample.records.some(isOurs),
	read,
};

const isOurs = (record: unknown): boolean => productOf(record) === null && (isMessage(record) || hasMessages(record));

/** A message has a role that is known, or a name where the row says that people talk; and something for a text. */
function isMessage(value: unknown): value is JsonObject {
	if (!isObject(value)) return false;
	const isSomeone = roleOf(value) !== null || (value.kind === 'people' && speakerOf(value) !== null);
	return isSomeone && (TEXT_KEYS.some(key => key in value) || isCall(value));
}

const isCall = (record: JsonObject): boolean => Array.isArray(record.tool_calls) || isObject(record.function_call);

/** The list of messages of a conversation record; null when it has none. An empty list is one. */
function listOf(record: unknown): readonly unknown[] | null {
	if (Array.isArray(record)) return isMessageList(record) ? record : null;
	if (!isObject(record)) return null;
	const lists = LIST_KEYS.map(key => record[key]).filter(Array.isArray);
	return lists.find(list => isMessageList(list, isPeople(record))) ?? lists.find(list => list.length === 0) ?? null;
}

const isPeople = (record: JsonObject): boolean => record.kind === 'people';

const isMessageList = (list: readonly unknown[], people = false): boolean =>
	list.slice(0, LOOK_MAX).some(item => isMessage(item) || (people && isObject(item) && speakerOf(item) !== null));

const hasMessages = (record: unknown): boolean => (listOf(record)?.length ?? 0) > 0;

/** `{conversations: [{messages: […]}]}`: one object around a list of conversations. */
function isWrapped({shape, records}: Sample): boolean {
	const first = records[0];
	if (shape !== 'object' || !isObject(first) || productOf(first) !== null) return false;
	return Array.isArray(first.conversations) && first.conversations.slice(0, LOOK_MAX).some(hasMessages);
}

interface Row {
	readonly record: JsonObject;
	readonly where: string;
}

async function* read(file: ImportFile, context: ImportContext): AsyncGenerator<ConversationDraft> {
	const layout = await layoutOfFile(file);
	const hasRows = layout.records.some(record => rowKey(record) !== null);
	const groups = hasRows ? await RowGroups.count<Row>(file, rowKey) : new RowGroups<Row>(null);
	// A bare list is a conversation as it stands; only rows that name their conversation make a table of it.
	const isTable = (key: string): boolean => layout.shape !== 'array' || key !== NO_KEY;
	const member = isWrapped(layout) ? 'conversations' : null;
	for await (const {value, position} of readGood(file, context, {member})) {
		const where = placeOf(file, position);
		const list = listOf(value);
		const key = list ? null : rowKey(value);
		if (list) yield* conversationOf(isObject(value) ? value : {}, list, where, context);
		else if (key !== null && isObject(value)) {
			const rows = groups.add(key, {record: value, where});
			if (rows) yield conversationOfRows(key, rows, isTable(key), context);
		} else context.warn('unknown_record', where, describe(value));
	}
	for (const [key, rows] of groups.rest()) yield conversationOfRows(key, rows, isTable(key), context);
}

const describe = (value: unknown): string =>
	isObject(value)
		? `members ${Object.keys(value).slice(0, 8).join(', ')}`
		: Array.isArray(value)
			? 'a list'
			: typeof value;

function rowKey(value: unknown): string | null {
	if (!isMessage(value) || productOf(value) !== null || listOf(value)) return null;
	return idOf(value, CONVERSATION_KEYS) ?? NO_KEY;
}

const OWN_ID_KEYS = [...CONVERSATION_KEYS, 'id', 'uuid'] as const;
const KNOWN_KEYS = new Set<string>([
	...LIST_KEYS,
	...TITLE_KEYS,
	...OWN_ID_KEYS,
	...TIME_KEYS,
	...UPDATED_KEYS,
	'kind',
]);

function* conversationOf(
	record: JsonObject,
	list: readonly unknown[],
	where: string,
	context: ImportContext,
): Generator<ConversationDraft> {
	const native_id = idOf(record, OWN_ID_KEYS);
	if (list.length === 0 && native_id === null) {
		// Nothing tells it from the next empty one.
		context.skip('empty_conversation');
		return;
	}
	const {kind = 'assistant', do_not_remember = false} = Envelope.parse(record);
	const messages = list.flatMap((item, index) => messageOf(item, {where: `${where} message ${index}`, kind, context}));
	const extra = Object.entries(record).filter(([key]) => !KNOWN_KEYS.has(key));
	yield {
		type: 'conversation',
		native_id,
		title: idOf(record, TITLE_KEYS),
		created_at: context.time(timeOf(record, TIME_KEYS), where),
		updated_at: context.time(timeOf(record, UPDATED_KEYS), where),
		kind,
		line: null,
		do_not_remember,
		extra: extra.length === 0 ? null : Object.fromEntries(extra),
		messages,
	};
}

function conversationOfRows(
	key: string,
	rows: readonly Row[],
	isTable: boolean,
	context: ImportContext,
): ConversationDraft {
	const kind = rows.some(({record}) => isPeople(record)) ? 'people' : 'assistant';
	const drafts = rows.flatMap(({record, where}) =>
		messageOf(record, {where, kind, context}).map(draft => ({draft, ordinal: ordinalOf(record)})),
	);
	return {
		type: 'conversation',
		native_id: key === NO_KEY ? null : key,
		title: null,
		created_at: null,
		updated_at: null,
		kind,
		line: null,
		do_not_remember: rows.some(({record}) => record.do_not_remember === true),
		extra: null,
		messages: isTable ? inRowOrder(drafts, rows[0]?.where ?? key, context) : drafts.map(({draft}) => draft),
	};
}

function ordinalOf(record: JsonObject): number | null {
	const value = ORDINAL_KEYS.map(key => record[key]).find(item => item !== undefined);
	return typeof value === 'number' ? value : null;
}

interface OrderedDraft {
	readonly draft: MessageDraft;
	readonly ordinal: number | null;
}

/** A table has no order of its own: ordinals count where all rows have one, else times where all rows have one. */
function inRowOrder(rows: readonly OrderedDraft[], where: string, context: ImportContext): MessageDraft[] {
	const keys = rows.every(row => row.ordinal !== null)
		? rows.map(row => row.ordinal)
		: rows.map(row => row.draft.created_at);
	const drafts = rows.map(row => row.draft);
	if (keys.some(key => key === null)) return drafts;
	const order = [...keys.keys()].sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
	const sorted = order.flatMap(index => drafts[index] ?? []);
	const byTime = !rows.every(row => row.ordinal !== null);
	const moved = order.filter((index, at) => index !== at).length;
	if (byTime && moved > 0) context.warn('rows_sorted_by_time', where, `${moved} rows moved`);
	return sorted;
}

interface Surroundings {
	readonly where: string;
	readonly kind: ConversationKind;
	readonly context: ImportContext;
}

/** The draft of a message; none, with a warning or a count, when the record is no message. */
function messageOf(record: unknown, {where, kind, context}: Surroundings): MessageDraft[] {
	if (!isObject(record)) {
		context.warn('unknown_record', where, describe(record));
		return [];
	}
	const speaker = speakerOf(record);
	const role = roleOf(record) ?? (kind === 'people' && speaker !== null ? 'user' : null);
	if (!role) {
		context.warn('unknown_role', where, String(idOf(record, ['role', 'sender', 'from', 'author', 'type']) ?? 'none'));
		return [];
	}
	const content = contentOf(record);
	if (!content && !isCall(record)) {
		const isThere = TEXT_KEYS.some(key => key in record);
		if (isThere) context.warn('unknown_content', where, describe(record));
		else context.skip('no_content');
		return [];
	}
	for (const type of content?.unknownParts ?? []) context.warn('unknown_part', where, type);
	const {text, attachments} = content ?? {text: '', attachments: []};
	const isSaid = (role === 'user' || role === 'assistant') && (text !== '' || attachments.length > 0);
	return [
		{
			native_id: idOf(record, ID_KEYS),
			parent_native_id: idOf(record, PARENT_KEYS),
			role,
			speaker,
			text,
			created_at: context.time(timeOf(record, TIME_KEYS), where),
			authorship: authorshipOf(record),
			status: typeof record.status === 'string' ? record.status : 'done',
			is_visible: isSaid && record.is_visible !== false,
			attachments,
			raw: record,
		},
	];
}
