import type {Role} from '../domain/conversation.js';
import {authorshipOfUserText} from './authorship.js';
import {cleanBytes} from './bytes.js';
import {type Log, type LogTurn, readLog} from './markdown-log.js';
import type {ConversationDraft, ImportContext, Importer, ImportFile, MessageDraft} from './port.js';

/** A log is one conversation, which is held as a whole; nobody writes one that is longer, in bytes. */
const FILE_BYTES_MAX = 128 * 1024 * 1024;

/** Markdown and plain text in which each message begins with a line that says who speaks. One file, one conversation. */
export const markdown: Importer = {
	id: 'markdown',
	version: 1,
	looksFor: 'text in which lines such as "## User", "**Human**", "[Name]: …" or "User: …" begin each message',
	sniff: ({shape, text = ''}) => shape === 'text' && readLog(text) !== null,
	read,
};

async function* read(file: ImportFile, context: ImportContext): AsyncGenerator<ConversationDraft> {
	const text = await textOf(file, context);
	if (text === null) return;
	const log = readLog(text);
	if (!log) {
		context.warn('unknown_record', file.path, 'no one style says who speaks in the whole of the text');
		return;
	}
	context.warn('assumed_style', file.path, log.style);
	yield conversationOf(log, file.path, context);
}

async function textOf(file: ImportFile, context: ImportContext): Promise<string | null> {
	const parts: Buffer[] = [];
	let size = 0;
	const onRepair = (kind: string, count: number, line: number): void =>
		context.warn(kind, `${file.path}:${line}`, `${count} bytes`);
	for await (const chunk of cleanBytes(file.open(), onRepair)) {
		size += chunk.length;
		if (size > FILE_BYTES_MAX) {
			context.warn('file_too_long', file.path, `more than ${FILE_BYTES_MAX} bytes of text`);
			return null;
		}
		parts.push(Buffer.from(chunk));
	}
	return Buffer.concat(parts).toString('utf8');
}

function conversationOf({title, turns}: Log, path: string, context: ImportContext): ConversationDraft {
	const isPeople = turns.every(({who}) => who.role === null);
	const messages = turns.flatMap(turn => messageOf(turn, path, context));
	const times = messages.flatMap(({created_at}) => (created_at === null ? [] : [created_at]));
	return {
		type: 'conversation',
		native_id: null,
		title,
		created_at: times[0] ?? null,
		updated_at: null,
		kind: isPeople ? 'people' : 'assistant',
		line: null,
		do_not_remember: false,
		extra: null,
		messages,
	};
}

function messageOf({who, line, text}: LogTurn, path: string, context: ImportContext): MessageDraft[] {
	if (text === '') {
		context.skip('empty_message');
		return [];
	}
	// A name of nobody known is a person's: it may stand beside a model, or beside other people.
	const role: Role = who.role ?? 'user';
	const authorship = role === 'user' ? authorshipOfUserText(text) : 'unknown';
	return [
		{
			native_id: null,
			parent_native_id: null,
			role,
			speaker: who.speaker,
			text,
			created_at: context.time(who.time, `${path}:${line}`),
			authorship,
			status: 'done',
			is_visible: (role === 'user' || role === 'assistant') && authorship !== 'injected',
			attachments: [],
			raw: {style: who.style, speaker: who.speaker, role: who.role, time: who.time, line},
		},
	];
}
