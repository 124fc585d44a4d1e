import {sha256} from '../../core/ids.js';
import type {Instant} from '../../core/time.js';
import type {Conversation, Message, Question} from '../../domain/conversation.js';
import type {ImportStore, Source, WriteCounts} from '../../ports/store.js';
import type {Database, Row} from '../duckdb.js';
import {supersedeWindows} from './extract.js';
import {deleteByIds, idList} from './sql.js';

/** What `import` reads and writes. */
export const importStore = (db: Database): ImportStore => ({
	unit: work => db.transaction(work),
	async conversation(conversationId) {
		const conversation = await db.one('SELECT * FROM conversations WHERE conversation_id = ?', [conversationId]);
		if (!conversation) return null;
		const messages = await db.all('SELECT * FROM messages WHERE conversation_id = ? ORDER BY seq', [conversationId]);
		return {conversation: conversation as unknown as Conversation, messages: messages as unknown as Message[]};
	},
	addConversation: (conversation, messages) =>
		db.transaction(async () => {
			await db.insert('conversations', [conversation]);
			await db.insert('messages', messages);
		}),
	replaceConversation: (conversation, messages, changed) =>
		db.transaction(() => replaceConversation(db, conversation, messages, changed)),
	addQuestions: questions => db.transaction(() => addQuestions(db, questions)),
	async messageIdsByNativeId(line) {
		const rows = await db.all<{native_id: string; message_id: string}>(
			`SELECT m.native_id, m.message_id FROM messages m JOIN conversations c USING (conversation_id)
			WHERE c.line = ? AND m.native_id IS NOT NULL ORDER BY m.message_id`,
			[line],
		);
		return new Map(rows.map(row => [row.native_id, row.message_id]));
	},
	addSource: (source, runId, importedAt) => addSource(db, source, runId, importedAt),
});

async function replaceConversation(
	db: Database,
	conversation: Conversation,
	messages: readonly Message[],
	changed: readonly Message[],
): Promise<void> {
	const before = changed.map(({message_id, text, raw}) => ({message_id, text_sha256: sha256(text), text, raw}));
	for (const version of before) {
		const there = await db.one('SELECT 1 FROM message_versions WHERE message_id = ? AND text_sha256 = ?', [
			version.message_id,
			version.text_sha256,
		]);
		if (!there) await db.insert('message_versions', [version]);
	}
	await deleteByIds(db, 'messages', 'conversation_id', [conversation.conversation_id]);
	await deleteByIds(db, 'conversations', 'conversation_id', [conversation.conversation_id]);
	await db.insert('conversations', [conversation]);
	await db.insert('messages', messages);
	if (changed.length === 0) return;
	const ids = new Set(changed.map(message => message.message_id));
	const windows = await db.all<{window_id: string; parts: [string, number, number][]}>(
		"SELECT window_id, parts FROM windows WHERE conversation_id = ? AND status <> 'superseded' ORDER BY window_id",
		[conversation.conversation_id],
	);
	await supersedeWindows(
		db,
		windows.filter(({parts}) => parts.some(([id]) => ids.has(id))).map(({window_id}) => window_id),
	);
}

async function addQuestions(db: Database, questions: readonly Question[]): Promise<WriteCounts> {
	if (questions.length === 0) return {added: 0, updated: 0, unchanged: 0};
	const ids = questions.map(question => question.question_id);
	const rows = await db.all(`SELECT * FROM questions WHERE question_id IN (${idList(ids)}) ORDER BY question_id`);
	const known = new Map(rows.map(row => [row.question_id as string, row]));
	const fresh = questions.filter(question => !known.has(question.question_id));
	const changed = questions.filter(question => {
		const before = known.get(question.question_id);
		return before !== undefined && !isSame(before, question);
	});
	await deleteByIds(
		db,
		'questions',
		'question_id',
		changed.map(question => question.question_id),
	);
	await db.insert('questions', [...fresh, ...changed]);
	return {
		added: fresh.length,
		updated: changed.length,
		unchanged: questions.length - fresh.length - changed.length,
	};
}

const isSame = (row: Row, question: Question): boolean =>
	Object.entries(question).every(([key, value]) => JSON.stringify(row[key]) === JSON.stringify(value));

async function addSource(db: Database, source: Source, runId: string, importedAt: Instant): Promise<boolean> {
	const there = await db.one('SELECT 1 FROM sources WHERE source_id = ?', [source.source_id]);
	if (there) return false;
	await db.insert('sources', [{...source, imported_at: importedAt, run_id: runId}]);
	return true;
}
