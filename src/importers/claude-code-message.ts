import type {Attachment, Authorship, Role} from '../domain/conversation.js';
import {splitInjected} from './authorship.js';
import type {CodeLine, LineKind} from './claude-code-line.js';
import {SPEAKER} from './claude-message.js';
import {isObject, type JsonObject} from './other-products.js';
import type {ImportContext, MessageDraft} from './port.js';

/** A line of a session that holds a message, or that others name as the one that they follow. */
export interface CodeRow {
	readonly kind: LineKind;
	readonly line: CodeLine;
	/** The record as it stands in raw; null for lines without a message, which are not kept. */
	readonly record: unknown;
	/** File, line and column. */
	readonly where: string;
}

const BLANK_LINE = '\n\n';
const HIDDEN = /thinking|tool/;
const MEDIA = /^(?:image|document|audio|video|file)$/;

/** What a person could see of a message's content. */
interface Content {
	readonly text: string;
	readonly attachments: readonly Attachment[];
	readonly hasToolResult: boolean;
	/** Types of blocks that are neither text, media nor known to be hidden. */
	readonly unknown: readonly string[];
}

/** The blocks of a content; a plain text is one block. */
export const blocksOf = (content: unknown): readonly unknown[] =>
	typeof content === 'string' ? [{type: 'text', text: content}] : Array.isArray(content) ? content : [];

const typeOf = (block: unknown): string => (isObject(block) && typeof block.type === 'string' ? block.type : 'no type');

/** The text of a text block, else null. */
export const textOf = (block: unknown): string | null =>
	isObject(block) && block.type === 'text' && typeof block.text === 'string' ? block.text : null;

/** What a person could see of blocks: thinking, calls and results stay in raw, media become attachments. */
export function readBlocks(blocks: readonly unknown[]): Content {
	const types = blocks.map(typeOf);
	return {
		text: blocks.flatMap(block => textOf(block) || []).join(BLANK_LINE),
		attachments: blocks.filter(block => MEDIA.test(typeOf(block))).map(attachmentOf),
		hasToolResult: types.includes('tool_result'),
		unknown: types.filter(type => type !== 'text' && !HIDDEN.test(type) && !MEDIA.test(type)),
	};
}

function attachmentOf(block: unknown): Attachment {
	const {type, title, source} = block as JsonObject;
	const mediaType = isObject(source) ? source.media_type : null;
	return {
		name: typeof title === 'string' && title !== '' ? title : null,
		type: typeof mediaType === 'string' ? mediaType : String(type),
		text: null,
	};
}

/**
 * The blocks of one reply, which its lines tell one by one and again, as snapshots of a growing reply: each block once,
 * at its first place and with its last content.
 */
export function unionOfBlocks(lists: readonly (readonly unknown[])[]): unknown[] {
	const union: unknown[] = [];
	for (const blocks of lists) {
		// Within one line blocks are what they are; only what an earlier line told may come again.
		const told = [...union.keys()];
		for (const block of blocks) {
			const found = told.findIndex(index => isSameBlock(union[index], block));
			const at = found < 0 ? undefined : told.splice(found, 1)[0];
			if (at === undefined) union.push(block);
			// A shorter snapshot that comes late takes nothing away.
			else if (sizeOf(block) >= sizeOf(union[at])) union[at] = block;
		}
	}
	return union;
}

const sizeOf = (block: unknown): number => textOf(block)?.length ?? 0;

/** Equal ids, or a text that begins like the other one. */
function isSameBlock(a: unknown, b: unknown): boolean {
	if (!isObject(a) || !isObject(b) || a.type !== b.type) return false;
	const key = ['id', 'tool_use_id'].find(name => typeof a[name] === 'string');
	if (key !== undefined) return a[key] === b[key];
	const [one, other] = [textOf(a), textOf(b)];
	if (one === null || other === null) return JSON.stringify(a) === JSON.stringify(b);
	return one.startsWith(other) || other.startsWith(one);
}

/**
 * The draft of a message, without its place in the tree.
 * @param rows its lines; more than one for a reply
 */
export function codeDraft(rows: readonly [CodeRow, ...CodeRow[]], context: ImportContext): MessageDraft {
	const [{kind, line, where}] = rows;
	const content = contentOf(rows, kind);
	for (const type of new Set(content.unknown)) context.warn('unknown_part', where, type);
	const {text, attachments} = content;
	const isEmpty = text.trim() === '' && attachments.length === 0;
	const role = roleOf(kind, content.hasToolResult && isEmpty);
	const authorship = role === 'user' ? authorshipOf(line, text) : 'unknown';
	const isSaid = (role === 'user' || role === 'assistant') && !isEmpty;
	return {
		native_id: nativeId(line, kind),
		parent_native_id: null,
		role,
		speaker: role === 'assistant' ? SPEAKER : null,
		text,
		created_at: context.time(timestampOf(rows), where),
		authorship,
		status: line.isApiErrorMessage ? 'error' : 'done',
		is_visible: isSaid && authorship !== 'injected',
		attachments,
		raw: rows.length === 1 ? rows[0].record : {lines: rows.map(({record}) => record)},
	};
}

function contentOf(rows: readonly CodeRow[], kind: LineKind): Content {
	const first = rows[0]?.line;
	if (kind === 'system') {
		const text = typeof first?.content === 'string' ? first.content : '';
		return {text, attachments: [], hasToolResult: false, unknown: []};
	}
	if (kind === 'queued') return readBlocks(blocksOf(first?.attachment?.prompt));
	return readBlocks(unionOfBlocks(rows.map(({line}) => blocksOf(line.message?.content))));
}

function roleOf(kind: LineKind, isResult: boolean): Role {
	if (kind === 'system' || kind === 'assistant') return kind;
	return isResult ? 'tool' : 'user';
}

/** The lines of a reply come and go with the version that wrote them; its own id stays. */
function nativeId({uuid, message, attachment}: CodeLine, kind: LineKind): string | null {
	const own = kind === 'assistant' ? message?.id : kind === 'queued' ? (uuid ?? attachment?.source_uuid) : uuid;
	return typeof own === 'string' && own !== '' ? own : (uuid ?? null);
}

const timestampOf = (rows: readonly CodeRow[]): unknown =>
	rows
		.flatMap(({line}) => [line.timestamp, line.attachment?.timestamp])
		.find(time => time !== undefined && time !== null);

/**
 * Who wrote a text of role user. What the program itself marks as its own is `injected`, and so is the task of a
 * subagent, which a model wrote. `human` where the line says that a person typed or pasted it.
 */
function authorshipOf(line: CodeLine, text: string): Authorship {
	if (line.isMeta || line.isCompactSummary || line.isSidechain || line.attachment?.isMeta === true) return 'injected';
	const origin = [line.origin, line.attachment?.origin].find(isObject)?.kind;
	if (typeof origin === 'string' && origin !== 'human') return 'injected';
	if (splitInjected(text).injection === 'all') return 'injected';
	const mode = line.attachment?.commandMode;
	if (mode !== undefined && mode !== 'prompt') return 'injected';
	const isPasted = Array.isArray(line.imagePasteIds) && line.imagePasteIds.length > 0;
	return origin === 'human' || mode === 'prompt' || isPasted ? 'human' : 'unknown';
}
