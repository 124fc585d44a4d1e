import {sha256} from '../../core/ids.js';
import type {Instant} from '../../core/time.js';
import type {Conversation, Message, Question} from '../../domain/conversation.js';
import type {ImportStore, Source, WriteCounts} from '../../ports/store.js';
import type {Database, Row} from '../duckdb.js';
import {supersedeWindows} from './extract.js';
import {deleteByIds, idList} from './sql.js';

/** What `import` reads and writes. */
export const importStore = (db: Database): ImportStore => ({
	makeRoom: () => makeRoom(db),
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
	finishSource: (sourceId, counts, warnings) =>
		db.run('UPDATE sources SET counts = ?, warnings = ? WHERE source_id = ?', [
			JSON.stringify(counts),
			JSON.stringify(warnings),
			sourceId,
		]),
});

/** Memory for writing, in millions of bytes: less is slower, more is not faster (measured on 200 MB). */
const WRITE_MB = 64;
/** Memory for the indexes of a message, in bytes: they stay in memory as they grow (55 measured, and room to write them). */
const INDEX_BYTES = 100;
/** Log that is kept before it is worked in, in millions of bytes: each time the last rows are packed anew. */
const LOG_MB = 64;

async function makeRoom(db: Database): Promise<void> {
	// Without a file there is nowhere for the rows to go.
	if (db.path === ':memory:') return;
	const count = await db.one<{n: number}>('SELECT count(*) AS n FROM messages');
	await db.run(`SET memory_limit = '${WRITE_MB + Math.ceil(((count?.n ?? 0) * INDEX_BYTES) / 1e6)}MB'`);
	await db.run(`SET checkpoint_threshold = '${LOG_MB}MB'`);
}

async function replaceConversation(
	db: Database,
	conversation: Conversation,
	messages: readonly Message[],
	changed: readonly Message[],
): Promise<void> {
	const textOf = new Map(messages.map(message => [message.message_id, message.text]));
	const replaced = changed.filter(message => textOf.get(message.message_id) !== message.text);
	for (const {message_id, text, raw} of replaced) {
		const text_sha256 = sha256(text);
		const there = await db.one('SELECT 1 FROM message_versions WHERE message_id = ? AND text_sha256 = ?', [
			message_id,
			text_sha256,
		]);
		if (!there) await db.insert('message_versions', [{message_id, text_sha256, text, raw}]);
	}
	await deleteByIds(db, 'messages', 'conversation_id', [conversation.conversation_id]);
	await deleteByIds(db, 'conversations', 'conversation_id', [conversation.conversation_id]);
	await db.insert('conversations', [conversation]);
	await db.insert('messages', messages);
	await refreshPlaces(db, conversation.conversation_id);
	const ids = new Set(changed.map(message => message.message_id));
	const windows = await db.all<{window_id: string; parts: [string, number, number][]}>(
		"SELECT window_id, parts FROM windows WHERE conversation_id = ? AND status <> 'superseded' ORDER BY window_id",
		[conversation.conversation_id],
	);
	await supersedeWindows(
		db,
		windows
			.filter(({parts}) => conversation.do_not_remember || parts.some(([id]) => ids.has(id)))
			.map(({window_id}) => window_id),
	);
}

/** A newer export may put messages before others: what windows, batches and cards know of places moves along. */
async function refreshPlaces(db: Database, conversationId: string): Promise<void> {
	await db.run(
		`UPDATE windows SET seen_until_seq = s.seq FROM (
			SELECT p.window_id, max(m.seq) AS seq FROM (
				SELECT window_id, unnest(parts::JSON[]) ->> '$[0]' AS message_id FROM windows WHERE conversation_id = ?
			) p JOIN messages m USING (message_id) GROUP BY p.window_id
		) s WHERE windows.window_id = s.window_id AND windows.seen_until_seq <> s.seq`,
		[conversationId],
	);
	await db.run(
		`UPDATE cards SET seen_until_seq = w.seen_until_seq FROM windows w
		WHERE cards.window_id = w.window_id AND w.conversation_id = ? AND cards.seen_until_seq <> w.seen_until_seq`,
		[conversationId],
	);
	await db.run(
		`UPDATE aggregate_batches SET seen_until_seq = s.seq FROM (
			SELECT i.batch_id, max(c.seen_until_seq) AS seq FROM (
				SELECT batch_id, unnest(input_card_ids::VARCHAR[]) AS card_id FROM aggregate_batches
				WHERE status = 'accepted' AND seen_until_seq IS NOT NULL
			) i JOIN cards c USING (card_id) WHERE c.conversation_id = ? GROUP BY i.batch_id
		) s WHERE aggregate_batches.batch_id = s.batch_id AND aggregate_batches.seen_until_seq <> s.seq`,
		[conversationId],
	);
	await db.run(
		`UPDATE cards SET seen_until_seq = g.seen_until_seq FROM aggregate_batches g
		WHERE cards.batch_id = g.batch_id AND g.status = 'accepted' AND cards.conversation_id = ?
			AND cards.seen_until_seq <> g.seen_until_seq`,
		[conversationId],
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

async function addSource(db: Database, source: Source, runId: string, importedAt: Instant): Promise<void> {
	const there = await db.one('SELECT 1 FROM sources WHERE source_id = ?', [source.source_id]);
	if (!there) await db.insert('sources', [{...source, imported_at: importedAt, run_id: runId}]);
}
