import type {CardSet, CardState, IndexRow, MemoryBeat, MemoryCard, MemoryStore} from '../../ports/store.js';
import {cutCodePoints} from '../../text/code-points.js';
import {oneLine} from '../../text/normalize.js';
import type {Database} from '../duckdb.js';
import {NOT_BLANK, SHOWN} from './extract.js';
import {idList} from './sql.js';

/** Code points of the preceding line that are read. */
const PRECEDING_CHARS_MAX = 200;

/** What index, recall and replay read of the cards, and the vectors that they share. */
export const memoryStore = (db: Database): MemoryStore => ({
	async lines(cardSetId) {
		const rows = await db.all<{line: string}>(
			`SELECT DISTINCT line FROM cards WHERE state = 'live' AND card_set_id IN (${CHAIN}) ORDER BY line`,
			[cardSetId, cardSetId],
		);
		return rows.map(row => row.line);
	},
	memoryCards: (cardSetId, line, includeDropped) => memoryCards(db, cardSetId, line, includeDropped),
	indexRows: (cardSetId, fingerprint, recipe, line) => indexRows(db, cardSetId, fingerprint, recipe, line),
	async embedded(fingerprint, shas) {
		const found = new Set<string>();
		for (const part of chunks(shas)) {
			const rows = await db.all<{text_sha256: string}>(
				`SELECT text_sha256 FROM embeddings WHERE fingerprint = ? AND text_sha256 IN (${idList(part)}) ORDER BY text_sha256`,
				[fingerprint],
			);
			for (const row of rows) found.add(row.text_sha256);
		}
		return found;
	},
	async vectors(fingerprint, shas) {
		const found = new Map<string, Float32Array>();
		for (const part of chunks(shas)) {
			const rows = await db.all<{text_sha256: string; vector: Uint8Array}>(
				`SELECT text_sha256, vector FROM embeddings WHERE fingerprint = ? AND text_sha256 IN (${idList(part)}) ORDER BY text_sha256`,
				[fingerprint],
			);
			for (const row of rows) found.set(row.text_sha256, fromBytes(row.vector));
		}
		return found;
	},
	addVectors: (fingerprint, vectors) =>
		db.transaction(() =>
			db.insert(
				'embeddings',
				[...vectors].map(([text_sha256, vector]) => ({
					fingerprint,
					text_sha256,
					dim: vector.length,
					vector: toBytes(vector),
				})),
			),
		),
	replaceIndexRows: (cardSetId, fingerprint, recipe, rows) =>
		db.transaction(() => replaceIndexRows(db, cardSetId, fingerprint, recipe, rows)),
	async fingerprints(cardSetId) {
		const rows = await db.all<{fingerprint: string}>(
			'SELECT DISTINCT fingerprint FROM index_rows WHERE card_set_id = ? ORDER BY fingerprint',
			[cardSetId],
		);
		return rows.map(row => row.fingerprint);
	},
	cardState: async (cardSetId, cardId) =>
		(await db.one(
			`SELECT card_set_id, card_set_id IN (${CHAIN}) AS in_set, line, state, disposition, drop_ruler, drop_reason
			FROM cards WHERE card_id = ?`,
			[cardSetId, cardSetId, cardId],
		)) as CardState | null,
	cardSets: async () => (await db.all('SELECT * FROM card_sets ORDER BY card_set_id')) as unknown as CardSet[],
});

/** A card set and the one that it was made from: an aggregated set is read together with its fragments. */
const CHAIN = 'SELECT ? UNION SELECT parent_set_id FROM card_sets WHERE card_set_id = ? AND parent_set_id IS NOT NULL';

function* chunks(items: readonly string[]): Generator<readonly string[]> {
	for (let at = 0; at < items.length; at += 2000) yield items.slice(at, at + 2000);
}

/** Vectors are little-endian 32-bit floats, as on every platform that Node runs on. */
const toBytes = (vector: Float32Array): Uint8Array =>
	new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
/** A copy of the bytes: a blob may be a view into a larger buffer, at an offset that is no multiple of four. */
const fromBytes = (bytes: Uint8Array): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer);

async function memoryCards(
	db: Database,
	cardSetId: string,
	line: string,
	includeDropped: boolean,
): Promise<MemoryCard[]> {
	const cards = await db.all(
		`SELECT c.* EXCLUDE (source_card_ids, drop_ruler, drop_reason, state),
			r.batch_id AS replaced_by, r.seen_until AS replaced_seen_until, r.seen_until_seq AS replaced_seen_until_seq
		FROM cards c LEFT JOIN (
			SELECT unnest(input_card_ids::VARCHAR[]) AS card_id, batch_id, seen_until, seen_until_seq
			FROM aggregate_batches WHERE card_set_id = ? AND status = 'accepted'
		) r ON r.card_id = c.card_id
		WHERE c.line = ? AND c.state = 'live' AND c.card_set_id IN (${CHAIN}) AND (? OR c.disposition = 'keep')
		ORDER BY c.card_id`,
		[cardSetId, line, cardSetId, cardSetId, includeDropped],
	);
	const beats = await deliverableBeats(db, cardSetId, line);
	return cards.flatMap(({replaced_by, replaced_seen_until, replaced_seen_until_seq, ...card}) => {
		const own = beats.get(card.card_id as string);
		if (!own) return [];
		const replaced =
			replaced_by === null ? null : {seen_until: replaced_seen_until, seen_until_seq: replaced_seen_until_seq};
		return [{...card, beats: own, replaced} as unknown as MemoryCard];
	});
}

/** Beats that may be delivered by card, in message order, each with the line before its message. */
async function deliverableBeats(db: Database, cardSetId: string, line: string): Promise<Map<string, MemoryBeat[]>> {
	const rows = await db.all(
		`WITH shown AS (
			SELECT m.message_id, m.seq, coalesce(m.speaker, m.role) AS who, lag(who) OVER chat AS who_before,
				lag(m.created_at) OVER chat AS at_before,
				CASE WHEN who_before <> who AND (at_before <= m.created_at OR coalesce(at_before, m.created_at) IS NULL)
					THEN who_before || ': ' || lag(m.text) OVER chat END AS preceding,
				m.conversation_id, m.text
			FROM messages m JOIN conversations c USING (conversation_id)
			WHERE c.line = ? AND ${SHOWN} AND ${NOT_BLANK} AND NOT c.do_not_remember
			WINDOW chat AS (PARTITION BY m.conversation_id ORDER BY m.seq)
		)
		SELECT b.beat_id, b.card_id, b.ordinal, b.message_id, s.conversation_id, s.seq, b.char_start, b.quote, b.role, b.speaker,
			b.observed_at, b.context_note, s.preceding
		FROM beats b JOIN cards c USING (card_id) JOIN shown s ON s.message_id = b.message_id
		WHERE c.line = ? AND c.state = 'live' AND c.card_set_id IN (${CHAIN}) AND b.verification <> 'none'
			AND b.filtered_reason IS NULL AND b.absorbed_by IS NULL
			AND substr(s.text, b.char_start + 1, b.char_end - b.char_start) = b.quote
		ORDER BY b.card_id, b.observed_at NULLS LAST, s.seq, b.char_start, b.ordinal`,
		[line, line, cardSetId, cardSetId],
	);
	const byCard = new Map<string, MemoryBeat[]>();
	for (const row of rows) {
		const preceding =
			row.preceding === null ? null : cutCodePoints(oneLine(row.preceding as string), PRECEDING_CHARS_MAX);
		const beat = {...row, preceding} as unknown as MemoryBeat;
		const list = byCard.get(beat.card_id);
		if (list) list.push(beat);
		else byCard.set(beat.card_id, [beat]);
	}
	return byCard;
}

async function indexRows(
	db: Database,
	cardSetId: string,
	fingerprint: string,
	recipe: string,
	line?: string,
): Promise<IndexRow[]> {
	const ofLine = line === undefined ? '' : 'AND card_id IN (SELECT card_id FROM cards WHERE line = ?)';
	const rows = await db.all(
		`SELECT * FROM index_rows WHERE card_set_id = ? AND fingerprint = ? AND recipe = ? ${ofLine}
		ORDER BY matrix, row_id`,
		line === undefined ? [cardSetId, fingerprint, recipe] : [cardSetId, fingerprint, recipe, line],
	);
	return rows as unknown as IndexRow[];
}

async function replaceIndexRows(
	db: Database,
	cardSetId: string,
	fingerprint: string,
	recipe: string,
	rows: readonly IndexRow[],
): Promise<void> {
	const keyOf = (row: IndexRow): string => `${row.matrix}:${row.row_id}:${row.text_sha256}`;
	const before = new Set((await indexRows(db, cardSetId, fingerprint, recipe)).map(keyOf));
	const now = new Set(rows.map(keyOf));
	if (before.size === now.size && [...now].every(key => before.has(key))) return;
	await db.run('DELETE FROM index_rows WHERE card_set_id = ? AND fingerprint = ? AND recipe = ?', [
		cardSetId,
		fingerprint,
		recipe,
	]);
	await db.insert('index_rows', rows);
}
