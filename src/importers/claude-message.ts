import {z} from 'zod';
import type {Attachment, Authorship, Role} from '../domain/conversation.js';
import {injectionIn} from './authorship.js';
import {roleOfWord} from './fields.js';
import {isObject, type JsonObject} from './other-products.js';
import type {ImportContext, MessageDraft} from './port.js';

/** The name under which the assistant speaks. */
export const SPEAKER = 'Claude';

/** Blocks that a person does not read as the message. They stay in raw. */
const HIDDEN_BLOCKS: ReadonlySet<string> = new Set([
	'thinking',
	'redacted_thinking',
	'tool_use',
	'tool_result',
	'server_tool_use',
	'token_budget',
	'injected_prompt_block',
]);
/** Blocks whose `text` is what was said; a voice note is the user's speech in writing. */
const SAID_BLOCKS: ReadonlySet<string> = new Set(['text', 'voice_note']);

const BLANK_LINE = '\n\n';
/** Thinking of the models of 2024, written into the text itself. */
const INLINE_THINKING = /<antThinking>[\s\S]*?<\/antThinking>/g;

/** What blocks hold. */
export interface BlockText {
	/** Non-empty texts in order. */
	readonly said: readonly string[];
	/** Types that are neither text nor known to be hidden. */
	readonly unknown: readonly string[];
}

const SaidBlock = z.looseObject({type: z.string(), text: z.string()});

/** The texts of content blocks. An unknown block costs nothing but its own text. */
export function readBlocks(blocks: readonly unknown[], hidden: ReadonlySet<string> = HIDDEN_BLOCKS): BlockText {
	const said: string[] = [];
	const unknown: string[] = [];
	for (const block of blocks) {
		const parsed = SaidBlock.safeParse(block);
		const type = isObject(block) && typeof block.type === 'string' ? block.type : 'no type';
		if (SAID_BLOCKS.has(type)) {
			if (parsed.success && parsed.data.text !== '') said.push(parsed.data.text);
		} else if (!hidden.has(type)) unknown.push(type);
	}
	return {said, unknown};
}

const OptionalText = z.string().optional().catch(undefined);
const Message = z.looseObject({
	uuid: OptionalText,
	sender: OptionalText,
	role: OptionalText,
	text: OptionalText,
	stop_reason: OptionalText,
});

/**
 * The draft of one message of `chat_messages`, without its place in the tree.
 * @returns null, with a warning, when the record is no message
 */
export function claudeMessage(record: unknown, where: string, context: ImportContext): MessageDraft | null {
	const parsed = Message.safeParse(record);
	if (!parsed.success) {
		context.warn('unknown_record', where, 'a message that is no object');
		return null;
	}
	const {uuid, sender, role: roleWord, stop_reason, ...message} = parsed.data;
	const word = sender ?? roleWord;
	const role = word === undefined ? null : roleOfWord(word);
	if (!role) {
		context.warn('unknown_role', where, word ?? 'none');
		return null;
	}
	const {said, unknown, isEmpty} = contentOf(message, role);
	for (const type of unknown) context.warn('unknown_part', where, type);
	return claudeDraft(
		{
			native_id: uuid ?? null,
			role,
			text: said,
			created_at: context.time(message.created_at, where),
			status: stop_reason === 'user_canceled' ? 'aborted' : 'done',
			attachments: attachmentsOf(message),
			raw: record,
		},
		isEmpty ? 'unseen_empty' : 'unseen_tool',
		context,
	);
}

type Told = Pick<MessageDraft, 'native_id' | 'role' | 'text' | 'created_at' | 'status' | 'attachments' | 'raw'>;

/**
 * Completes a draft by what holds for every message of Claude.
 * @param unseen the reason that is counted when there is nothing to see
 */
export function claudeDraft(told: Told, unseen: string, context: Pick<ImportContext, 'skip'>): MessageDraft {
	const {role, text, attachments} = told;
	const authorship = role === 'user' ? authorshipOf(text) : 'unknown';
	const isSaid = (role === 'user' || role === 'assistant') && (text.trim() !== '' || attachments.length > 0);
	if (!isSaid) context.skip(unseen);
	return {
		...told,
		parent_native_id: null,
		speaker: role === 'assistant' ? SPEAKER : null,
		authorship,
		is_visible: isSaid && authorship !== 'injected',
	};
}

/** Who wrote a text that an account's owner is said to have sent: `unknown` where a program's text stands before it. */
export function authorshipOf(text: string): Authorship {
	const injection = injectionIn(text);
	return injection === 'all' ? 'injected' : injection === 'start' ? 'unknown' : 'human';
}

interface MessageText {
	readonly said: string;
	readonly unknown: readonly string[];
	/** Nothing at all is there, not even something hidden. */
	readonly isEmpty: boolean;
}

/** Blocks count before `text`, which for replies may hold thinking or stand-ins for tools. */
function contentOf({text = '', content}: JsonObject & {text?: string | undefined}, role: Role): MessageText {
	const blocks = Array.isArray(content) ? content : typeof content === 'string' ? [{type: 'text', text: content}] : [];
	const {said, unknown} = readBlocks(blocks);
	const mayFallBack = said.length === 0 && (role === 'user' || blocks.length === 0);
	const full = mayFallBack ? text : said.join(BLANK_LINE);
	const seen = role === 'assistant' ? full.replace(INLINE_THINKING, '') : full;
	return {said: seen, unknown, isEmpty: blocks.length === 0};
}

const AttachmentRecord = z.looseObject({
	file_name: OptionalText,
	name: OptionalText,
	file_type: OptionalText,
	file_kind: OptionalText,
	file_uuid: OptionalText,
	extracted_content: OptionalText,
});
type AttachmentRecord = z.infer<typeof AttachmentRecord>;

const textOrNull = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text);

/** Attachments with the text that the export has for them, then files, of which it has the name only. */
export function attachmentsOf(message: JsonObject): Attachment[] {
	const records = (key: string): AttachmentRecord[] => {
		const list: unknown = message[key];
		const parsed = Array.isArray(list) ? list.map(item => AttachmentRecord.safeParse(item)) : [];
		return parsed.flatMap(({data}) => (data ? [data] : []));
	};
	const toAttachment = (item: AttachmentRecord): Attachment => ({
		name: textOrNull(item.file_name) ?? textOrNull(item.name) ?? textOrNull(item.file_uuid),
		type: textOrNull(item.file_type) ?? textOrNull(item.file_kind),
		text: textOrNull(item.extracted_content),
	});
	// The two lists of files repeat each other; the second says more.
	const files = new Map<string, AttachmentRecord>();
	for (const [index, item] of [...records('files'), ...records('files_v2')].entries()) {
		files.set(item.file_uuid ?? item.file_name ?? String(index), item);
	}
	return [...records('attachments'), ...files.values()].map(toAttachment);
}
