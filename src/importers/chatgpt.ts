import {chatgptMessage, type ReadMessage} from './chatgpt-message.js';
import {envelopeOf, membersBeside, wrapperOf} from './envelope.js';
import {layoutOfFile, placeOf, readGood} from './json-records.js';
import {isObject, type JsonObject} from './other-products.js';
import type {ConversationDraft, ImportContext, Importer, ImportFile} from './port.js';
import {buildTree, placeDrafts, type TreeNode, warnOfTree} from './tree.js';

/** ChatGPT: the official export, in one file or in shards; each conversation is a tree of messages. */
export const chatgpt: Importer = {
	id: 'chatgpt',
	version: 1,
	looksFor: 'conversations with "mapping": the zip of the export or its conversations.json, not chat.html',
	sniff: sample =>
		wrapperOf(sample, isConversation) !== null ||
		sample.records.some(record => isConversation(record) || sidecarOf(record) !== null),
	read,
};

/** DeepSeek has a `mapping` too, with other messages in it. */
function isConversation(record: unknown): record is JsonObject & {mapping: JsonObject} {
	if (!isObject(record) || !isObject(record.mapping) || 'inserted_at' in record) return false;
	return !Object.values(record.mapping).some(
		node => isObject(node) && isObject(node.message) && 'fragments' in node.message,
	);
}

const FILE_LIST = 'file_list';

/** What else an export holds besides chats, by the shape of one record, and the reason that is counted. */
const SIDECARS: readonly (readonly [string, (record: JsonObject) => boolean])[] = [
	['shared_link', r => 'conversation_id' in r && 'is_anonymous' in r],
	['feedback', r => 'conversation_id' in r && 'rating' in r],
	['account_data', r => 'email' in r && ('chatgpt_plus_user' in r || 'phone_number' in r)],
	[FILE_LIST, r => 'file_id' in r && 'file_name' in r],
	[FILE_LIST, r => Object.keys(r).length > 0 && Object.keys(r).every(key => key.endsWith('.dat'))],
];

function sidecarOf(record: unknown): string | null {
	// Rows of chats of other products may have a rating or a file beside their words.
	if (!isObject(record) || ['mapping', 'messages', 'role'].some(key => key in record)) return null;
	return SIDECARS.find(([, fits]) => fits(record))?.[0] ?? null;
}

/** Exports of 2026 give the bytes of files under their ids; two lists say what the files are called. */
function noteNames(record: JsonObject, names: Map<string, string>): void {
	const pairs = 'file_id' in record ? [[record.file_id, record.file_name]] : Object.entries(record);
	for (const [id, name] of pairs) if (isId(id) && isId(name)) names.set(id.replace(/\.dat$/, ''), name);
}

async function* read(file: ImportFile, context: ImportContext): AsyncGenerator<ConversationDraft> {
	const member = wrapperOf(await layoutOfFile(file), isConversation);
	for await (const {value, position} of readGood(file, context, {member})) {
		const where = placeOf(file, position);
		const sidecar = sidecarOf(value);
		if (isConversation(value)) yield* conversationOf(value, where, context);
		else if (sidecar !== null) {
			if (sidecar === FILE_LIST) noteNames(value as JsonObject, context.fileNames);
			context.skip(sidecar);
		} else context.warn('unknown_record', where, describe(value));
	}
}

const describe = (value: unknown): string =>
	isObject(value) ? `no "mapping"; members ${Object.keys(value).slice(0, 8).join(', ')}` : 'no object';

/** Members with a column of their own. */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
	'id',
	'conversation_id',
	'title',
	'create_time',
	'update_time',
	'mapping',
	'is_do_not_remember',
]);
/** The model of conversations that name none. */
const MODEL_UNKNOWN = 'unknown';

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';

function* conversationOf(
	record: JsonObject & {mapping: JsonObject},
	where: string,
	context: ImportContext,
): Generator<ConversationDraft> {
	const native_id = [record.conversation_id, record.id].find(isId) ?? null;
	const {mapping, current_node, create_time: created, update_time: updated, title} = record;
	const keys = Object.keys(mapping);
	if (keys.length === 0 && native_id === null) {
		// Nothing tells it from the next empty one.
		context.skip('empty_conversation');
		return;
	}
	const claimed = new Set<string>();
	const read = keys.map((key): ReadMessage | null => {
		const message = messageIn(mapping[key]);
		const item = message === null ? null : chatgptMessage(message, key, `${where} node ${key}`, context);
		return item && withOwnId(item, key, claimed);
	});
	const nodes = nodesOf(mapping, read);
	const tree = buildTree(nodes, isId(current_node) ? current_node : null);
	const messages = placeDrafts(
		tree,
		read.map(item => item?.draft ?? null),
	);
	if (messages.length === 0 && keys.length > 0) {
		context.warn('no_messages', where, `${keys.length} nodes and no message in "${String(title)}"; left out`);
		return;
	}
	warnOfTree(tree, where, context);
	const model = tree.path.map(index => read[index]?.model).findLast(isId) ?? record.default_model_slug;
	const extra = {...membersBeside(record, KNOWN_KEYS), model: isId(model) ? model : MODEL_UNKNOWN};
	yield {
		type: 'conversation',
		native_id,
		...envelopeOf({title, created, updated, extra, messages}, where, context),
		kind: 'assistant',
		line: null,
		do_not_remember: record.is_do_not_remember === true,
		messages,
	};
}

/** Two nodes may hold messages of the same id; both are kept, the second under the id of its node. */
function withOwnId({draft, model}: ReadMessage, key: string, claimed: Set<string>): ReadMessage {
	const native_id = [draft.native_id, key, `${key}#2`].find(id => id !== null && !claimed.has(id)) ?? key;
	claimed.add(native_id);
	return {draft: {...draft, native_id}, model};
}

/** The message of a node; null for nodes without one, such as the root. */
const messageIn = (node: unknown): unknown => (isObject(node) ? (node.message ?? null) : null);

/** The nodes with their parents, which are those that list them as children where they name none. */
function nodesOf(mapping: JsonObject, read: readonly (ReadMessage | null)[]): TreeNode[] {
	const listed = new Map<string, string>();
	for (const [key, node] of Object.entries(mapping)) {
		const children = isObject(node) && Array.isArray(node.children) ? node.children : [];
		for (const child of children) if (isId(child) && !listed.has(child)) listed.set(child, key);
	}
	return Object.entries(mapping).map(([id, node], index) => {
		const own = isObject(node) ? node.parent : undefined;
		const parent = isId(own) ? own : listed.get(id);
		return {id, parent: parent ?? (own === null ? null : undefined), created_at: read[index]?.draft.created_at ?? null};
	});
}
