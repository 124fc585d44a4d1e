import {z} from 'zod';
import type {ConversationKind} from '../domain/conversation.js';
import {roleOfWord} from './fields.js';
import {placeOf, readGood} from './json-records.js';
import {compareNatural} from './natural.js';
import {isObject} from './other-products.js';
import type {
	ConversationDraft,
	Draft,
	ImportContext,
	Importer,
	ImportFile,
	MessageDraft,
	QuestionDraft,
} from './port.js';
import {RowGroups} from './rows.js';

const Row = z.looseObject({
	conversation_id: z.string(),
	session_id: z.string(),
	message_id: z.string(),
	role: z.string(),
	speaker: z.string().nullish(),
	text: z.string(),
	created_at: z.string(),
});
type Row = z.infer<typeof Row>;

const Query = z.looseObject({
	query_id: z.string(),
	conversation_id: z.string(),
	text: z.string(),
	asked_at: z.string().nullish(),
	evidence_message_ids: z.array(z.string()).default([]),
	category: z.string().nullish(),
	answer: z.union([z.string(), z.number().transform(String)]).nullish(),
	answerable: z.boolean().default(true),
	context: z.array(z.string()).nullish(),
});

const Gold = z.looseObject({
	memory_id: z.string(),
	conversation_id: z.string(),
	source_message_ids: z.array(z.string()),
});

/** Speakers that are programs; a chat whose assistant has another name is one of people. */
const MODEL_NAME =
	/^(assistant|ai|bot|model|system|助手|(chat)?gpt|claude|gemini|deepseek|llama|qwen|mistral|grok)\b/iu;

/** The normalized benchmark sets: rows of `conversations.jsonl` and questions of `queries.jsonl`. */
export const bench: Importer = {
	id: 'bench',
	version: 1,
	looksFor: 'rows with conversation_id, session_id and message_id, or queries with query_id and evidence_message_ids',
	sniff: ({records}) => records.some(record => Row.safeParse(record).success || isQuery(record) || isGold(record)),
	read,
};

const isQuery = (record: unknown): boolean =>
	isObject(record) && 'evidence_message_ids' in record && Query.safeParse(record).success;
const isGold = (record: unknown): boolean => Gold.safeParse(record).success;

const sessionKey = ({conversation_id, session_id}: Row): string => JSON.stringify([conversation_id, session_id]);

async function* read(file: ImportFile, context: ImportContext): AsyncGenerator<Draft> {
	const kinds = new Map<string, ConversationKind>();
	const groups = await RowGroups.count<Row>(file, value => {
		const row = Row.safeParse(value);
		if (row.success) noteKind(kinds, row.data);
		return row.success ? sessionKey(row.data) : null;
	});
	for await (const {value, position} of readGood(file, context)) {
		const where = placeOf(file, position);
		const row = Row.safeParse(value);
		if (row.success) {
			const rows = groups.add(sessionKey(row.data), row.data);
			if (rows) yield conversationOf(rows, kinds.get(row.data.conversation_id) ?? 'assistant', file.path, context);
		} else if (isQuery(value)) yield questionOf(Query.parse(value), where, context);
		else if (isGold(value)) context.skip('gold_memory');
		else context.warn('unknown_record', where);
	}
}

/** The kind belongs to the line, not to the session: one word of a model makes all of it a chat with a model. */
function noteKind(kinds: Map<string, ConversationKind>, {role, speaker, conversation_id}: Row): void {
	if (roleOfWord(role) !== 'assistant') return;
	const isModel = !speaker || MODEL_NAME.test(speaker.trim());
	if (isModel || !kinds.has(conversation_id)) kinds.set(conversation_id, isModel ? 'assistant' : 'people');
}

function conversationOf(
	rows: readonly Row[],
	kind: ConversationKind,
	path: string,
	context: ImportContext,
): ConversationDraft {
	const messages = rows.flatMap(row => messageOf(row, kind, path, context));
	messages.sort(
		(a, b) => (a.created_at ?? 0) - (b.created_at ?? 0) || compareNatural(a.native_id ?? '', b.native_id ?? ''),
	);
	return {
		type: 'conversation',
		native_id: rows[0]?.session_id ?? null,
		title: null,
		created_at: messages[0]?.created_at ?? null,
		updated_at: null,
		kind,
		line: rows[0]?.conversation_id ?? null,
		do_not_remember: false,
		extra: null,
		messages,
	};
}

function messageOf(row: Row, kind: ConversationKind, path: string, context: ImportContext): MessageDraft[] {
	const where = `${path} ${row.message_id}`;
	const role = roleOfWord(row.role);
	if (!role) {
		context.warn('unknown_role', where, row.role);
		return [];
	}
	return [
		{
			native_id: row.message_id,
			parent_native_id: null,
			role,
			speaker: row.speaker ?? null,
			text: row.text,
			created_at: context.time(row.created_at, where),
			authorship: role === 'user' || (role === 'assistant' && kind === 'people') ? 'human' : 'unknown',
			status: 'done',
			is_visible: role === 'user' || role === 'assistant',
			attachments: [],
			raw: row,
		},
	];
}

function questionOf(query: z.infer<typeof Query>, where: string, context: ImportContext): QuestionDraft {
	const {query_id, conversation_id, text, asked_at, evidence_message_ids, category, answer, answerable} = query;
	const known = new Set(Object.keys(Query.shape));
	const extra = Object.entries(query).filter(([key]) => !known.has(key));
	return {
		type: 'question',
		native_id: query_id,
		line: conversation_id,
		text,
		asked_at: asked_at === null || asked_at === undefined ? null : context.time(asked_at, where),
		evidence_native_ids: evidence_message_ids,
		category: category ?? null,
		answerable,
		answer: answer ?? null,
		context: query.context ?? null,
		extra: extra.length === 0 ? null : Object.fromEntries(extra),
	};
}
