import {z} from 'zod';
import type {Authorship, Role} from '../domain/conversation.js';
import {injectionIn} from './authorship.js';
import {readParts} from './chatgpt-parts.js';
import {stripGroups, stripMarks} from './chatgpt-text.js';
import {roleOfWord} from './fields.js';
import type {ImportContext, MessageDraft} from './port.js';

/** The name under which the assistant speaks. */
const SPEAKER = 'ChatGPT';

const OptionalText = z.string().optional().catch(undefined);
const Flag = z.boolean().optional().catch(undefined);
const Author = z.looseObject({role: OptionalText, name: OptionalText});
const Metadata = z.looseObject({
	is_visually_hidden_from_conversation: Flag,
	is_user_system_message: Flag,
	model_slug: OptionalText,
});
/** A bare string, as some tools write it, is a text. */
const Content = z.preprocess(
	value => (typeof value === 'string' ? {parts: [value]} : value),
	z.looseObject({
		content_type: z.string().catch('text'),
		parts: z.array(z.unknown()).optional().catch(undefined),
		text: OptionalText,
	}),
);
/** Every member may be missing, null or of another type. */
const Message = z.looseObject({
	id: OptionalText,
	role: OptionalText,
	author: Author.catch({}),
	content: Content.nullable().catch(null),
	metadata: Metadata.catch({}),
	status: OptionalText,
	weight: z.number().optional().catch(undefined),
	recipient: OptionalText,
	channel: OptionalText,
});
type Message = z.infer<typeof Message>;

/** Content that is the message itself. */
const SAID: ReadonlySet<string> = new Set(['text', 'multimodal_text']);
/** Content that is not, and the reason that is counted. */
const UNSEEN: ReadonlyMap<string, string> = new Map([
	['user_editable_context', 'unseen_profile'],
	['model_editable_context', 'unseen_profile'],
	['code', 'unseen_tool'],
	['execution_output', 'unseen_tool'],
	['computer_output', 'unseen_tool'],
	['tether_quote', 'unseen_tool'],
	['tether_browsing_display', 'unseen_tool'],
	['tether_browsing_code', 'unseen_tool'],
	['sonic_webpage', 'unseen_tool'],
	['system_error', 'unseen_tool'],
	['thoughts', 'unseen_thoughts'],
	['reasoning_recap', 'unseen_thoughts'],
]);
/** An assistant text that is a search call. */
const SEARCH_CALL = /^\s*\{\s*"queries"\s*:\s*\[[\s\S]*\]\s*\}\s*$/;
const STATUSES: ReadonlyMap<string, string> = new Map([['finished_successfully', 'done']]);

/** What a node holds, apart from its place in the tree. */
export interface ReadMessage {
	readonly draft: MessageDraft;
	/** The model that wrote it, where the export says so. */
	readonly model: string | null;
}

/**
 * The draft of the message of one node, without its place in the tree.
 * @param key id of the node, for messages without an id
 * @returns null, with a warning, when the record is no message
 */
export function chatgptMessage(
	record: unknown,
	key: string,
	where: string,
	context: ImportContext,
): ReadMessage | null {
	const parsed = Message.safeParse(record);
	const message = parsed.success ? parsed.data : null;
	const word = message?.author.role ?? message?.role;
	const role = word === undefined ? null : roleOfWord(word);
	if (!message || !role) {
		context.warn(message ? 'unknown_role' : 'unknown_record', where, word ?? 'none');
		return null;
	}
	const {content, metadata, id, author, status = 'finished_successfully'} = message;
	const isSaid = content !== null && SAID.has(content.content_type);
	const parts = readParts(isSaid ? (content.parts ?? [content.text ?? '']) : [], metadata, context.fileNames);
	const unseen = unseenReason(message, role, parts.text);
	if (unseen === 'unseen_unknown') context.warn('unknown_content', where, content?.content_type);
	if (unseen === null) for (const type of parts.unknown) context.warn('unknown_part', where, type);
	// A text that nobody saw stays in raw.
	const seen = unseen === null ? withoutMarks(parts.text, role, context) : '';
	const isEmpty = seen.trim() === '' && parts.attachments.length === 0;
	const reason = unseen ?? (isEmpty ? 'unseen_empty' : null);
	if (reason !== null) context.skip(reason);
	const authorship = role === 'user' ? authorshipOf(message, seen, unseen) : 'unknown';
	const draft: MessageDraft = {
		native_id: id ?? key,
		parent_native_id: null,
		role,
		speaker: role === 'assistant' ? SPEAKER : role === 'tool' ? (author.name ?? null) : null,
		text: seen,
		created_at: context.time(message.create_time, where),
		authorship,
		status: STATUSES.get(status) ?? status,
		is_visible: reason === null && authorship !== 'injected',
		attachments: parts.attachments,
		raw: record,
	};
	return {draft, model: metadata.model_slug ?? null};
}

function withoutMarks(text: string, role: Role, context: Pick<ImportContext, 'skip'>): string {
	const {text: stripped, marks} = role === 'assistant' ? stripMarks(text) : stripGroups(text);
	for (let mark = 0; mark < marks; mark += 1) context.skip('citation_mark');
	return stripped;
}

/** Why a person did not see the message as one of the conversation; null when it was seen, or is merely empty. */
function unseenReason(message: Message, role: Role, text: string): string | null {
	const {content, metadata, recipient = 'all', channel, weight} = message;
	const type = content?.content_type ?? 'text';
	const ofType = UNSEEN.get(type);
	if (metadata.is_user_system_message || ofType === 'unseen_profile') return 'unseen_profile';
	if (role === 'system' || role === 'tool') return `unseen_${role}`;
	if (metadata.is_visually_hidden_from_conversation || weight === 0) return 'unseen_hidden';
	if (ofType !== undefined) return ofType;
	if (!SAID.has(type)) return 'unseen_unknown';
	if (channel === 'analysis') return 'unseen_thoughts';
	if (recipient !== 'all') return 'unseen_tool';
	return role === 'assistant' && SEARCH_CALL.test(text) ? 'unseen_tool' : null;
}

/** Contexts that the product writes as the user are no person's; what was hidden for other reasons may be. */
function authorshipOf({metadata}: Message, text: string, unseen: string | null): Authorship {
	if (unseen === 'unseen_profile' || metadata.is_visually_hidden_from_conversation) return 'injected';
	if (unseen !== null || text.trim() === '') return 'unknown';
	const injection = injectionIn(text);
	return injection === 'all' ? 'injected' : injection === 'start' ? 'unknown' : 'human';
}
