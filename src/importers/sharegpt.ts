import type {Role} from '../domain/conversation.js';
import {authorshipOfUserText} from './authorship.js';
import {contentOf, ID_KEYS, idOf, roleOfWord, speakerOf, TIME_KEYS, timeOf, UPDATED_KEYS} from './fields.js';
import {placeOf, readGood} from './json-records.js';
import {isObject, type JsonObject, productOf} from './other-products.js';
import type {ConversationDraft, ImportContext, Importer, ImportFile, MessageDraft} from './port.js';

/** The member that holds the turns. */
const LIST_KEY = 'conversations';
const TITLE_KEYS = ['title', 'name'] as const;
/** Turns that are looked at to tell them from other lists. */
const LOOK_MAX = 8;

/** Words that data sets use for a role beside those that every export has. */
const OTHER_ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
	['prompter', 'user'],
	['bing', 'assistant'],
	['bard', 'assistant'],
	['claude', 'assistant'],
	['function-call', 'tool'],
	['function_response', 'tool'],
	['tool_call', 'tool'],
	['tool_response', 'tool'],
	['ipython', 'tool'],
]);

/** ShareGPT and data sets of its shape: turns with `from` and `value`, or with `role` and `content`. */
export const sharegpt: Importer = {
	id: 'sharegpt',
	version: 1,
	looksFor: 'turns with "from" and "value" under "conversations"',
	sniff: sample => sample.records.some(record => turnsOf(record)?.slice(0, LOOK_MAX).some(isTurn) === true),
	read,
};

/** The turns of a record; null when it has no list for them, or is another product's. */
function turnsOf(record: unknown): readonly unknown[] | null {
	if (!isObject(record) || productOf(record) !== null) return null;
	const list = record[LIST_KEY];
	return Array.isArray(list) ? list : null;
}

function isTurn(value: unknown): boolean {
	if (!isObject(value)) return false;
	const hasText = 'value' in value || ('content' in value && !('messages' in value));
	return hasText && roleOf(value) !== null;
}

/** The role of a turn. Turns need not alternate, and the first one need not be the user's. */
function roleOf({from, role}: JsonObject): Role | null {
	const word = [from, role].find(item => typeof item === 'string') as string | undefined;
	if (word === undefined) return null;
	return roleOfWord(word) ?? OTHER_ROLES.get(word.trim().toLowerCase()) ?? null;
}

async function* read(file: ImportFile, context: ImportContext): AsyncGenerator<ConversationDraft> {
	const seen = new Map<string, number>();
	for await (const {value, position} of readGood(file, context)) {
		const where = placeOf(file, position);
		const turns = turnsOf(value);
		if (!turns || !isObject(value)) {
			context.warn('unknown_record', where, `no list under "${LIST_KEY}"`);
			continue;
		}
		const native_id = ownId(idOf(value, ['id', 'conversation_id']), seen, where, context);
		if (turns.length === 0 && native_id === null) {
			// Nothing tells it from the next empty one.
			context.skip('empty_conversation');
			continue;
		}
		yield conversationOf(value, {native_id, turns, where}, context);
	}
}

/** An id that comes again in the file gets its number: such lists repeat ids, and the talks are not the same. */
function ownId(id: string | null, seen: Map<string, number>, where: string, context: ImportContext): string | null {
	if (id === null) return null;
	const count = (seen.get(id) ?? 0) + 1;
	seen.set(id, count);
	if (count === 1) return id;
	context.warn('duplicate_conversation_id', where, id.slice(0, 80));
	return `${id}#${count}`;
}

const KNOWN_KEYS: ReadonlySet<string> = new Set([
	'id',
	'conversation_id',
	LIST_KEY,
	...TITLE_KEYS,
	...TIME_KEYS,
	...UPDATED_KEYS,
]);

interface Turns {
	readonly native_id: string | null;
	readonly turns: readonly unknown[];
	readonly where: string;
}

function conversationOf(
	record: JsonObject,
	{native_id, turns, where}: Turns,
	context: ImportContext,
): ConversationDraft {
	const extra = Object.entries(record).filter(([key]) => !KNOWN_KEYS.has(key));
	return {
		type: 'conversation',
		native_id,
		title: idOf(record, TITLE_KEYS),
		created_at: context.time(timeOf(record, TIME_KEYS), where),
		updated_at: context.time(timeOf(record, UPDATED_KEYS), where),
		kind: 'assistant',
		line: null,
		do_not_remember: false,
		extra: extra.length === 0 ? null : Object.fromEntries(extra),
		messages: turns.flatMap((turn, index) => messageOf(turn, `${where} turn ${index}`, context)),
	};
}

/** The draft of a turn; none, with a warning, when it cannot be read. */
function messageOf(turn: unknown, where: string, context: ImportContext): MessageDraft[] {
	if (!isObject(turn)) {
		context.warn('unknown_record', where, Array.isArray(turn) ? 'a list' : typeof turn);
		return [];
	}
	const role = roleOf(turn);
	if (!role) {
		context.warn('unknown_role', where, (idOf(turn, ['from', 'role']) ?? 'none').slice(0, 80));
		return [];
	}
	const content = contentOf(turn);
	if (!content) {
		context.warn('unknown_content', where, `members ${Object.keys(turn).slice(0, 8).join(', ')}`);
		return [];
	}
	for (const type of content.unknownParts) context.warn('unknown_part', where, type);
	const {text, attachments} = content;
	const authorship = role === 'user' ? authorshipOfUserText(text) : 'unknown';
	const isSaid = (role === 'user' || role === 'assistant') && (text !== '' || attachments.length > 0);
	return [
		{
			native_id: idOf(turn, ID_KEYS),
			parent_native_id: null,
			role,
			speaker: speakerOf({...turn, from: undefined}),
			text,
			created_at: context.time(timeOf(turn, TIME_KEYS), where),
			authorship,
			status: 'done',
			is_visible: isSaid && authorship !== 'injected',
			attachments,
			raw: turn,
		},
	];
}
