import type {Beat, CardWithBeats} from '../../domain/card.js';
import type {AggregateStore, BatchResult} from '../../ports/store.js';
import type {Database} from '../duckdb.js';
import {addCardSet, batchesOver, insertCards, supersedeBatches} from './extract.js';

/** What `aggregate` reads and writes. */
export const aggregateStore = (db: Database): AggregateStore => ({
	addCardSet: set => addCardSet(db, set),
	dayCards: cardSetId => dayCards(db, cardSetId),
	batches: cardSetId =>
		db.all<{batch_id: string; line: string; day: string; status: string; attempts: number}>(
			`SELECT batch_id, any_value(line) AS line, any_value(day) AS day, arg_max(status, attempt) AS status,
				count(*) AS attempts
			FROM aggregate_batches WHERE card_set_id = ? AND status <> 'superseded' GROUP BY batch_id ORDER BY batch_id`,
			[cardSetId],
		),
	saveBatch: (result, runId) => db.transaction(() => saveBatch(db, result, runId)),
	supersedeBatches: ids => db.transaction(() => supersedeBatches(db, ids)),
});

/** Cards of a day of a line; those without a day come a conversation at a time, since nothing orders them across. */
async function* dayCards(
	db: Database,
	cardSetId: string,
): AsyncGenerator<{line: string; day: string; cards: CardWithBeats[]}> {
	const groups = await db.all<{line: string; day: string; conversation: string}>(
		`SELECT DISTINCT line, day, CASE WHEN day = 'none' THEN conversation_id ELSE '' END AS conversation
		FROM cards WHERE card_set_id = ? AND state = 'live' ORDER BY line, day, conversation`,
		[cardSetId],
	);
	for (const {line, day, conversation} of groups) {
		const where = "card_set_id = ? AND line = ? AND day = ? AND state = 'live' AND (? = '' OR conversation_id = ?)";
		const params = [cardSetId, line, day, conversation, conversation];
		const cards = await db.all(`SELECT * EXCLUDE (state) FROM cards WHERE ${where} ORDER BY card_id`, params);
		const beats = await db.all(
			`SELECT * FROM beats WHERE card_id IN (SELECT card_id FROM cards WHERE ${where}) ORDER BY card_id, ordinal`,
			params,
		);
		const byCard = new Map<string, Beat[]>();
		for (const beat of beats as unknown as Beat[]) {
			const list = byCard.get(beat.card_id);
			if (list) list.push(beat);
			else byCard.set(beat.card_id, [beat]);
		}
		yield {
			line,
			day,
			cards: cards.map(
				card => ({...card, beats: byCard.get(card.card_id as string) ?? []}) as unknown as CardWithBeats,
			),
		};
	}
}

async function saveBatch(db: Database, result: BatchResult, runId: string): Promise<void> {
	const {cards, log, warnings, ...batch} = result;
	// The same cards may go in again after an edit that was taken back: the new attempt takes the old rows' place.
	await forgetSuperseded(db, batch.batch_id);
	if (batch.status === 'accepted') await supersedeRivals(db, batch);
	await db.insert('aggregate_batches', [{...batch, run_id: runId}]);
	await insertCards(db, cards);
	await db.insert(
		'aggregate_log',
		log.map((entry, ordinal) => ({batch_id: batch.batch_id, ordinal, ...entry})),
	);
	await db.insert('card_warnings', warnings);
}

async function forgetSuperseded(db: Database, batchId: string): Promise<void> {
	const there = await db.one("SELECT 1 FROM aggregate_batches WHERE batch_id = ? AND status = 'superseded'", [batchId]);
	if (!there) return;
	await db.run('DELETE FROM beats WHERE card_id IN (SELECT card_id FROM cards WHERE batch_id = ?)', [batchId]);
	for (const table of ['cards', 'aggregate_log', 'card_warnings', 'aggregate_batches']) {
		await db.run(`DELETE FROM ${table} WHERE batch_id = ?`, [batchId]);
	}
}

/** A card lives in one accepted batch of a set: older ones that took it give way in the same commit. */
async function supersedeRivals(
	db: Database,
	{batch_id, card_set_id, input_card_ids}: Pick<BatchResult, 'batch_id' | 'card_set_id' | 'input_card_ids'>,
): Promise<void> {
	const rivals = await batchesOver(db, input_card_ids, 'AND card_set_id = ? AND batch_id <> ?', [
		card_set_id,
		batch_id,
	]);
	await supersedeBatches(db, rivals);
}
