import {z} from 'zod';
import {designMessages, isDesignChat} from './claude-design.js';
import {claudeMessage} from './claude-message.js';
import {manifestAdvice, manifestParts, partOf} from './claude-parts.js';
import {envelopeOf, membersBeside, wrapperOf} from './envelope.js';
import {roleOfWord} from './fields.js';
import {layoutOfFile, placeOf, readGood} from './json-records.js';
import {isObject, type JsonObject} from './other-products.js';
import type {ConversationDraft, ImportContext, Importer, ImportFile, MessageDraft, Sample} from './port.js';
import {buildTree, placeDrafts, warnOfTree} from './tree.js';

/** Messages that are looked at to tell old files of Claude.ai from other lists of messages. */
const LOOK_MAX = 5;

/** Claude.ai: the official export in all its layouts, single chats as browser tools save them, design chats. */
export const claude: Importer = {
	id: 'claude',
	version: 1,
	looksFor: 'conversations with "chat_messages"',
	sniff: sample => wrapperOf(sample, isChat) !== null || sample.records.some(isOurs) || isManifest(sample),
	read,
};

const isManifest = ({shape, records}: Sample): boolean => shape === 'object' && manifestParts(records[0]).length > 0;

const isChat = (record: unknown): boolean => listOf(record) !== null || isDesignChat(record);

const isOurs = (record: unknown): boolean => isChat(record) || partOf(record) !== null;

/** The messages of a conversation; null when the record is none. `messages` is the name in old files. */
function listOf(record: unknown): readonly unknown[] | null {
	if (!isObject(record)) return null;
	if (Array.isArray(record.chat_messages)) return record.chat_messages;
	const isOld = typeof record.uuid === 'string' && 'name' in record && Array.isArray(record.messages);
	if (!isOld || isDesignChat(record)) return null;
	const list = record.messages as unknown[];
	const isMessage = (item: unknown): boolean =>
		isObject(item) && ['sender', 'role'].some(key => typeof item[key] === 'string' && roleOfWord(item[key]) !== null);
	return list.slice(0, LOOK_MAX).some(isMessage) ? list : null;
}

async function* read(file: ImportFile, context: ImportContext): AsyncGenerator<ConversationDraft> {
	const layout = await layoutOfFile(file);
	const member = wrapperOf(layout, isChat);
	for await (const {value, position} of readGood(file, context, {member})) {
		const where = placeOf(file, position);
		const part = partOf(value);
		const list = listOf(value);
		const links = list || part !== null || !isManifest(layout) ? [] : manifestParts(value);
		if (list && isObject(value)) yield* conversationOf(value, list, where, context);
		else if (isDesignChat(value)) yield designOf(value, where, context);
		else if (part !== null) context.skip(part);
		else if (links.length > 0) context.warn('manifest_without_chats', file.path, manifestAdvice(links));
		else context.warn('unknown_record', where, describe(value));
	}
}

const describe = (value: unknown): string =>
	isObject(value) ? `no "chat_messages"; members ${Object.keys(value).slice(0, 8).join(', ')}` : 'no object';

/** Members with a column of their own, and the account, which is personal and the same everywhere. */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
	'uuid',
	'name',
	'title',
	'created_at',
	'updated_at',
	'chat_messages',
	'messages',
	'account',
]);

function* conversationOf(
	record: JsonObject,
	list: readonly unknown[],
	where: string,
	context: ImportContext,
): Generator<ConversationDraft> {
	const native_id = typeof record.uuid === 'string' ? record.uuid : null;
	if (native_id === null && list.length === 0) {
		// Nothing tells it from the next empty one.
		context.skip('empty_conversation');
		return;
	}
	const drafts = list.map((item, index) => claudeMessage(item, `${where} message ${index}`, context));
	const messages = inTree(record, list, drafts, {where, context});
	warnOfSilence(messages, where, context);
	yield draftOf({record, native_id, messages, title: record.name}, where, context);
}

const Linked = z.looseObject({
	uuid: z.string().optional().catch(undefined),
	parent_message_uuid: z.string().nullish().catch(undefined),
	index: z.number().optional().catch(undefined),
});

interface Place {
	readonly where: string;
	readonly context: ImportContext;
}

/** Places the drafts: by their parents where the file has them, else (old files) as one line in the file's order. */
function inTree(
	record: JsonObject,
	list: readonly unknown[],
	drafts: readonly (MessageDraft | null)[],
	{where, context}: Place,
): MessageDraft[] {
	const links = list.map(item => Linked.safeParse(item).data ?? {});
	const ids = new Set(links.flatMap(({uuid}) => uuid ?? []));
	if (!links.some(({parent_message_uuid: parent}) => typeof parent === 'string' && ids.has(parent))) {
		const order = links.every(({index}) => index !== undefined)
			? [...links.keys()].sort((a, b) => (links[a]?.index ?? 0) - (links[b]?.index ?? 0) || a - b)
			: [...links.keys()];
		return order.flatMap(at => drafts[at] ?? []);
	}
	const nodes = links.map(({uuid, parent_message_uuid}, index) => ({
		id: uuid ?? `#${index}`,
		parent: parent_message_uuid,
		created_at: drafts[index]?.created_at ?? null,
	}));
	const pointer = record.current_leaf_message_uuid;
	const tree = buildTree(nodes, typeof pointer === 'string' ? pointer : null);
	warnOfTree(tree, where, context);
	return placeDrafts(tree, drafts);
}

/** A chat in which only the assistant speaks is a sign that the words of the user were looked for in the wrong place. */
function warnOfSilence(messages: readonly MessageDraft[], where: string, context: ImportContext): void {
	const users = messages.filter(({role}) => role === 'user');
	const isSilent = users.every(({text, attachments}) => text === '' && attachments.length === 0);
	if (users.length > 0 && isSilent && messages.some(({role, is_visible}) => role === 'assistant' && is_visible)) {
		context.warn('no_user_text', where, `${users.length} messages of the user have no text`);
	}
}

function designOf(
	record: JsonObject & {messages: unknown[]},
	where: string,
	context: ImportContext,
): ConversationDraft {
	const messages = record.messages.flatMap((item, index) => designMessages(item, `${where} message ${index}`, context));
	const native_id = typeof record.uuid === 'string' ? record.uuid : null;
	return draftOf({record, native_id, messages, title: record.title}, where, context);
}

interface Parts {
	readonly record: JsonObject;
	readonly native_id: string | null;
	readonly title: unknown;
	readonly messages: readonly MessageDraft[];
}

function draftOf(
	{record, native_id, title, messages}: Parts,
	where: string,
	context: ImportContext,
): ConversationDraft {
	const extra = membersBeside(record, KNOWN_KEYS);
	const {created_at: created, updated_at: updated} = record;
	return {
		type: 'conversation',
		native_id,
		...envelopeOf({title, created, updated, extra, messages}, where, context),
		kind: 'assistant',
		line: null,
		// A temporary chat is one that its owner asked not to be kept.
		do_not_remember: record.is_temporary === true,
		messages,
	};
}
