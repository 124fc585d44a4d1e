import {z} from 'zod';
import {attachmentsOf, claudeDraft, readBlocks} from './claude-message.js';
import {roleOfWord} from './fields.js';
import {isObject, type JsonObject} from './other-products.js';
import type {ImportContext, MessageDraft} from './port.js';

/** Blocks of design chats that are no text of the message. */
const HIDDEN_BLOCKS: ReadonlySet<string> = new Set(['thinking', 'tool_call', 'error', 'user_interjection']);

/** A chat of Claude Design: messages whose content is an object with `contentBlocks`. */
export function isDesignChat(record: unknown): record is JsonObject & {messages: unknown[]} {
	if (!isObject(record) || !('project' in record) || !Array.isArray(record.messages)) return false;
	return record.messages.some(message => {
		const content = isObject(message) ? message.content : undefined;
		return isObject(content) && Array.isArray(content.contentBlocks);
	});
}

const OptionalText = z.string().optional().catch(undefined);
const DesignContent = z.preprocess(
	value => (typeof value === 'string' ? {content: value} : value),
	z.looseObject({
		role: OptionalText,
		content: OptionalText,
		contentBlocks: z.array(z.unknown()).catch([]),
	}),
);
const DesignMessage = z.looseObject({
	uuid: OptionalText,
	role: OptionalText,
	content: DesignContent.catch({contentBlocks: []}),
});

const Interjection = z.looseObject({
	type: z.literal('user_interjection'),
	message: z.union([
		z.string(),
		z.looseObject({content: z.string()}).transform(({content}) => content),
		z.looseObject({text: z.string()}).transform(({text}) => text),
	]),
});

/**
 * The drafts of one message of a design chat: one, or more where the user spoke while the assistant was at work. The
 * first has the id of the record, those after it that id with a number, which later blocks do not change.
 */
export function designMessages(record: unknown, where: string, context: ImportContext): MessageDraft[] {
	const parsed = DesignMessage.safeParse(record);
	const message = parsed.success ? parsed.data : null;
	const word = message?.role ?? message?.content.role;
	const role = word === undefined ? null : roleOfWord(word);
	if (!message || !role) {
		context.warn(message ? 'unknown_role' : 'unknown_record', where, word ?? 'none');
		return [];
	}
	const {content, uuid = null} = message;
	const created_at = context.time(message.created_at ?? content.timestamp, where);
	return turnsOf(content.contentBlocks).map(({said, blocks}, index) => {
		const isFirst = index === 0;
		const {said: texts, unknown} = readBlocks(blocks, HIDDEN_BLOCKS);
		for (const type of unknown) context.warn('unknown_part', where, type);
		const own = texts.join('\n\n');
		const isBare = isFirst && said === null && own === '' && (role === 'user' || content.contentBlocks.length === 0);
		return claudeDraft(
			{
				native_id: uuid === null || isFirst ? uuid : `${uuid}#${index}`,
				role: said === null ? role : 'user',
				text: said ?? (isBare ? (content.content ?? '') : own),
				created_at,
				status: 'done',
				attachments: isFirst ? attachmentsOf(content) : [],
				raw: isFirst ? record : {part_of: uuid, blocks},
			},
			'unseen_tool',
			context,
		);
	});
}

/** A stretch of blocks: the message's own, or one thing that the user put in. */
interface Turn {
	readonly said: string | null;
	readonly blocks: readonly unknown[];
}

/** The blocks, cut where the user put something in. The first turn is always the message's own. */
function turnsOf(blocks: readonly unknown[]): Turn[] {
	const turns: {said: string | null; blocks: unknown[]}[] = [{said: null, blocks: []}];
	for (const block of blocks) {
		const interjection = Interjection.safeParse(block);
		const last = turns.at(-1);
		if (interjection.success) turns.push({said: interjection.data.message, blocks: [block]});
		else if (last && last.said === null) last.blocks.push(block);
		else turns.push({said: null, blocks: [block]});
	}
	return turns;
}
