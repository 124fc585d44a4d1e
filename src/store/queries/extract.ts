import type {Beat, CardWithBeats} from '../../domain/card.js';
import type {Conversation, Message} from '../../domain/conversation.js';
import type {CardSet, ConversationText, ExtractStore, WindowResult} from '../../ports/store.js';
import type {Database, Parameter} from '../duckdb.js';
import {idList} from './sql.js';

/** What `extract` reads and writes. */
export const extractStore = (db: Database): ExtractStore => ({
	addCardSet: set => addCardSet(db, set),
	conversations: () => conversations(db),
	windows: (cardSetId, conversationId) =>
		db.all<{window_id: string; day: string; status: string}>(
			`SELECT window_id, day, status FROM windows
			WHERE card_set_id = ? AND conversation_id = ? AND status <> 'superseded' ORDER BY window_id`,
			[cardSetId, conversationId],
		),
	saveWindows: (results, runId) => db.transaction(() => saveWindows(db, results, runId)),
	supersedeWindows: ids => db.transaction(() => supersedeWindows(db, ids)),
});

/** Adds a card set unless it is there: its id is made of all that it holds. */
export async function addCardSet(db: Database, set: CardSet): Promise<void> {
	const there = await db.one('SELECT 1 FROM card_sets WHERE card_set_id = ?', [set.card_set_id]);
	if (!there) await db.insert('card_sets', [set]);
}

/** Text that windows may show: visible, of persons and assistants, and not put there by a program. */
export const SHOWN = "m.is_visible AND m.role IN ('user', 'assistant') AND m.authorship <> 'injected'";

/** Text with something in it. What counts as white space is what JavaScript's trim() takes for it. */
export const NOT_BLANK = "regexp_matches(m.text, '[^\\s\\p{Z}\\x{FEFF}\\x0B]')";

async function* conversations(db: Database): AsyncGenerator<ConversationText> {
	const list = await db.all(
		'SELECT conversation_id, kind, line FROM conversations WHERE NOT do_not_remember ORDER BY conversation_id',
	);
	for (const conversation of list) {
		const messages = await db.all(
			`SELECT m.* EXCLUDE (raw, attachments) FROM messages m WHERE m.conversation_id = ? AND ${SHOWN} ORDER BY m.seq`,
			[conversation.conversation_id as string],
		);
		yield {
			conversation: conversation as unknown as Pick<Conversation, 'conversation_id' | 'kind' | 'line'>,
			messages: messages as unknown as Message[],
		};
	}
}

async function saveWindows(db: Database, results: readonly WindowResult[], runId: string): Promise<void> {
	// A failed window that is tried again, or one that came back to what it was, takes the place of its old row.
	await forgetWindows(
		db,
		results.map(({window}) => window.window_id),
	);
	await db.insert(
		'windows',
		results.map(({window, card_set_id, status, error, raw_answer}) => ({
			window_id: window.window_id,
			card_set_id,
			conversation_id: window.conversation_id,
			day: window.day,
			ordinal: window.ordinal,
			parts: window.parts.map(part => [part.message_id, part.start, part.end]),
			n_user: window.n_user,
			n_chars: window.n_chars,
			seen_until: window.seen_until,
			seen_until_seq: window.seen_until_seq,
			status,
			error,
			raw_answer,
			run_id: runId,
		})),
	);
	await db.insert(
		'events',
		results.flatMap(({events}) => events),
	);
	await insertCards(
		db,
		results.flatMap(({cards}) => cards),
	);
	await db.insert(
		'card_warnings',
		results.flatMap(({warnings}) => warnings),
	);
}

async function forgetWindows(db: Database, windowIds: readonly string[]): Promise<void> {
	const ids = idList(windowIds);
	const there = await db.one(`SELECT 1 FROM windows WHERE window_id IN (${ids})`);
	if (!there) return;
	await db.run(`DELETE FROM beats WHERE card_id IN (SELECT card_id FROM cards WHERE window_id IN (${ids}))`);
	for (const table of ['cards', 'events', 'card_warnings', 'windows']) {
		await db.run(`DELETE FROM ${table} WHERE window_id IN (${ids})`);
	}
}

/** Writes new cards with their beats. */
export async function insertCards(db: Database, cards: readonly CardWithBeats[]): Promise<void> {
	await db.insert(
		'cards',
		cards.map(({beats: _, ...card}) => ({...card, state: 'live'})),
	);
	await db.insert('beats', cards.flatMap(card => card.beats) satisfies Beat[]);
}

/** Marks windows, their cards, and batches that these went into superseded: kept, but no longer read. */
export async function supersedeWindows(db: Database, windowIds: readonly string[]): Promise<void> {
	if (windowIds.length === 0) return;
	const ids = idList(windowIds);
	const cards = await db.all<{card_id: string}>(
		`SELECT card_id FROM cards WHERE window_id IN (${ids}) ORDER BY card_id`,
	);
	await supersedeBatches(
		db,
		await batchesOver(
			db,
			cards.map(card => card.card_id),
		),
	);
	await db.run(`UPDATE windows SET status = 'superseded' WHERE window_id IN (${ids})`);
	await db.run(`UPDATE cards SET state = 'superseded' WHERE window_id IN (${ids})`);
}

/** Marks batches and their cards superseded. */
export async function supersedeBatches(db: Database, batchIds: readonly string[]): Promise<void> {
	if (batchIds.length === 0) return;
	const ids = idList(batchIds);
	await db.run(`UPDATE aggregate_batches SET status = 'superseded' WHERE batch_id IN (${ids})`);
	await db.run(`UPDATE cards SET state = 'superseded' WHERE batch_id IN (${ids})`);
}

/** Accepted batches that took in any of some cards. */
export async function batchesOver(
	db: Database,
	cardIds: readonly string[],
	also = '',
	params: readonly Parameter[] = [],
): Promise<string[]> {
	const rows = await db.all<{batch_id: string}>(
		`SELECT DISTINCT batch_id FROM (
			SELECT batch_id, card_set_id, unnest(input_card_ids::VARCHAR[]) AS card_id
			FROM aggregate_batches WHERE status = 'accepted'
		) WHERE card_id IN (${idList(cardIds)}) ${also} ORDER BY batch_id`,
		params,
	);
	return rows.map(row => row.batch_id);
}
