import type {CheckStore, Finding, SeenByExposure, ShownBeat} from '../../ports/store.js';
import type {Database} from '../duckdb.js';

/** Each check is a query whose rows are findings: kind, where, detail. Superseded rows are kept history and are not checked. */
const CHECKS: readonly string[] = [
	// References.
	`SELECT 'dangling_reference' AS kind, m.message_id AS "where", 'conversation ' || m.conversation_id AS detail
	FROM messages m ANTI JOIN conversations c USING (conversation_id)`,
	`SELECT 'dangling_reference', m.message_id, 'parent ' || m.parent_id
	FROM messages m ANTI JOIN messages p ON p.message_id = m.parent_id WHERE m.parent_id IS NOT NULL`,
	`SELECT 'dangling_reference', c.conversation_id, 'source ' || c.source_id
	FROM conversations c ANTI JOIN sources s USING (source_id)`,
	`SELECT 'dangling_reference', b.beat_id, 'card ' || b.card_id FROM beats b ANTI JOIN cards c USING (card_id)`,
	`SELECT 'dangling_reference', c.card_id, 'window ' || c.window_id
	FROM cards c ANTI JOIN windows w USING (window_id) WHERE c.window_id IS NOT NULL`,
	`SELECT 'dangling_reference', c.card_id, 'batch ' || c.batch_id
	FROM cards c ANTI JOIN aggregate_batches g USING (batch_id) WHERE c.batch_id IS NOT NULL`,
	`SELECT 'dangling_reference', c.card_id, 'neither or both of window and batch'
	FROM cards c WHERE (c.window_id IS NULL) = (c.batch_id IS NULL)`,
	`SELECT 'dangling_reference', q.question_id, 'evidence ' || q.message_id
	FROM (SELECT question_id, unnest(evidence::VARCHAR[]) AS message_id FROM questions) q ANTI JOIN messages m USING (message_id)`,
	`SELECT 'dangling_reference', x.exposure_id, 'candidate ' || x.candidate_id
	FROM exposure_candidates x ANTI JOIN cards c ON c.card_id = x.candidate_id WHERE x.kind = 'card'`,
	`SELECT 'dangling_reference', x.exposure_id, 'candidates without exposure'
	FROM (SELECT DISTINCT exposure_id FROM exposure_candidates) x ANTI JOIN exposures e USING (exposure_id)`,
	// Every quoted character resolves to its message.
	`SELECT 'quote_differs', b.beat_id, b.message_id || ' ' || b.char_start || '-' || b.char_end
	FROM beats b JOIN cards c USING (card_id) JOIN messages m USING (message_id)
	WHERE c.state = 'live' AND b.verification <> 'none'
		AND substr(m.text, b.char_start + 1, b.char_end - b.char_start) IS DISTINCT FROM b.quote`,
	`SELECT 'span_missing', b.beat_id, 'verified without a source or a span'
	FROM beats b JOIN cards c USING (card_id) LEFT JOIN messages m USING (message_id)
	WHERE c.state = 'live' AND b.verification <> 'none'
		AND (m.message_id IS NULL OR b.char_start IS NULL OR b.char_end IS NULL)`,
	`SELECT 'time_differs', b.beat_id, 'observed_at is not the time of ' || b.message_id
	FROM beats b JOIN cards c USING (card_id) JOIN messages m USING (message_id)
	WHERE c.state = 'live' AND b.observed_at IS DISTINCT FROM m.created_at`,
	// No beat lost, added or changed by an accepted batch; absorbed beats have a living equal.
	`WITH accepted AS (
		SELECT batch_id, unnest(input_card_ids::VARCHAR[]) AS card_id FROM aggregate_batches WHERE status = 'accepted'
	), went_in AS (
		SELECT a.batch_id, b.message_id, b.quote, b.observed_at, b.context_note, count(*) AS n
		FROM accepted a JOIN beats b USING (card_id) GROUP BY ALL
	), came_out AS (
		SELECT c.batch_id, b.message_id, b.quote, b.observed_at, b.context_note, count(*) AS n
		FROM cards c JOIN beats b USING (card_id) WHERE c.batch_id IS NOT NULL AND c.state = 'live' GROUP BY ALL
	)
	SELECT CASE WHEN coalesce(o.n, 0) < coalesce(i.n, 0) THEN 'beat_lost' ELSE 'beat_added' END,
		coalesce(i.batch_id, o.batch_id), coalesce(i.message_id, o.message_id, '?') || ': ' || coalesce(i.quote, o.quote)
	FROM went_in i FULL JOIN came_out o ON i.batch_id = o.batch_id AND i.message_id IS NOT DISTINCT FROM o.message_id
		AND i.quote = o.quote AND i.observed_at IS NOT DISTINCT FROM o.observed_at AND i.context_note = o.context_note
	WHERE coalesce(i.n, 0) <> coalesce(o.n, 0)`,
	`SELECT 'card_not_consumed', g.batch_id, 'input card ' || g.card_id || ' is not there'
	FROM (SELECT batch_id, unnest(input_card_ids::VARCHAR[]) AS card_id FROM aggregate_batches WHERE status = 'accepted') g
	ANTI JOIN cards c USING (card_id)`,
	`SELECT 'card_in_two_batches', card_id, string_agg(batch_id, ' ' ORDER BY batch_id) FROM (
		SELECT batch_id, card_set_id, unnest(input_card_ids::VARCHAR[]) AS card_id
		FROM aggregate_batches WHERE status = 'accepted'
	) GROUP BY card_set_id, card_id HAVING count(*) > 1`,
	`SELECT 'absorbed_without_living', b.beat_id, 'by ' || b.absorbed_by
	FROM beats b LEFT JOIN beats l ON l.beat_id = b.absorbed_by
	WHERE b.absorbed_by IS NOT NULL AND (l.beat_id IS NULL OR l.card_id <> b.card_id OR l.absorbed_by IS NOT NULL
		OR l.message_id IS DISTINCT FROM b.message_id OR l.quote <> b.quote)`,
	`SELECT 'card_without_beats', c.card_id, c.title FROM cards c ANTI JOIN beats b USING (card_id)
	ANTI JOIN card_warnings w ON w.card_id = c.card_id AND w.kind = 'no_beats'
	WHERE c.state = 'live' AND c.source_card_ids::VARCHAR = '[]'`,
	// seen_until is what the writer was shown: windows by their messages, cards and batches by what made them.
	`SELECT 'seen_until_differs', w.window_id, 'window'
	FROM windows w JOIN (
		SELECT p.window_id, max(m.created_at) AS at, max(m.seq) AS seq
		FROM (SELECT window_id, unnest(parts::JSON[]) ->> '$[0]' AS message_id FROM windows WHERE status <> 'superseded') p
		JOIN messages m USING (message_id) GROUP BY p.window_id
	) s USING (window_id)
	WHERE w.status <> 'superseded' AND (w.seen_until IS DISTINCT FROM s.at OR w.seen_until_seq <> s.seq)`,
	`SELECT 'seen_until_differs', c.card_id, 'card of a window' FROM cards c JOIN windows w USING (window_id)
	WHERE c.state = 'live' AND (c.seen_until IS DISTINCT FROM w.seen_until OR c.seen_until_seq IS DISTINCT FROM w.seen_until_seq)`,
	`SELECT 'seen_until_differs', c.card_id, 'card of a batch' FROM cards c JOIN aggregate_batches g USING (batch_id)
	WHERE c.state = 'live' AND g.status = 'accepted' AND c.seen_until IS DISTINCT FROM g.seen_until`,
	`SELECT 'seen_until_differs', g.batch_id, 'batch' FROM aggregate_batches g JOIN (
		SELECT i.batch_id, max(c.seen_until) AS at
		FROM (SELECT batch_id, unnest(input_card_ids::VARCHAR[]) AS card_id FROM aggregate_batches WHERE status = 'accepted') i
		JOIN cards c USING (card_id) GROUP BY i.batch_id
	) s USING (batch_id) WHERE g.status = 'accepted' AND g.seen_until IS DISTINCT FROM s.at`,
	// What was delivered: its hash, and every delivered beat a verified one of its card.
	`SELECT 'rendered_differs', exposure_id, 'rendered_sha256 is not the hash of rendered_text' FROM exposures
	WHERE rendered_sha256 IS DISTINCT FROM sha256(rendered_text)`,
	`SELECT 'delivered_unverified', s.exposure_id, s.beat_id FROM (
		SELECT exposure_id, seg ->> 'card_id' AS card_id, unnest((seg -> 'beat_ids')::VARCHAR[]) AS beat_id
		FROM (SELECT exposure_id, unnest(segments::JSON[]) AS seg FROM exposures)
	) s LEFT JOIN beats b ON b.beat_id = s.beat_id
	WHERE b.beat_id IS NULL OR b.card_id <> s.card_id OR b.verification = 'none' OR b.filtered_reason IS NOT NULL
		OR b.absorbed_by IS NOT NULL`,
];

/** What `db check` reads. */
export const checkStore = (db: Database): CheckStore => ({
	async *findings() {
		for (const sql of CHECKS) {
			const rows = await db.all(`SELECT * FROM (${sql}) AS found(kind, "where", detail) ORDER BY 1, 2, 3`);
			for (const row of rows) yield row as unknown as Finding;
		}
	},
	shownBeats: () =>
		db.stream(
			`SELECT s.exposure_id, b.beat_id, b.quote, s.text FROM (
				SELECT exposure_id, seg ->> 'text' AS text, unnest((seg -> 'beat_ids')::VARCHAR[]) AS beat_id
				FROM (SELECT exposure_id, unnest(segments::JSON[]) AS seg FROM exposures)
			) s JOIN beats b ON b.beat_id = s.beat_id ORDER BY s.exposure_id, b.beat_id`,
		) as AsyncIterable<unknown> as AsyncIterable<ShownBeat>,
	seenByExposures: () =>
		db.stream(
			`WITH seen AS (
				SELECT exposure_id, candidate_id AS card_id FROM exposure_candidates WHERE kind = 'card'
				UNION
				SELECT exposure_id, seg ->> 'card_id' FROM (SELECT exposure_id, unnest(segments::JSON[]) AS seg FROM exposures)
			), said AS (
				SELECT b.card_id, max(m.created_at) AS last_said
				FROM beats b JOIN messages m USING (message_id) GROUP BY b.card_id
			), placed AS (
				SELECT b.card_id, m.conversation_id, max(m.seq) AS last_seq
				FROM beats b JOIN messages m USING (message_id) GROUP BY b.card_id, m.conversation_id
			)
			SELECT e.exposure_id, c.card_id, e.cutoff, e.cutoff_seq, e.cutoff_basis, e.availability,
				e.conversation_id AS target_conversation, c.seen_until, c.seen_until_seq,
				c.conversation_id AS card_conversation, said.last_said, p.last_seq
			FROM seen JOIN exposures e USING (exposure_id) JOIN cards c USING (card_id) LEFT JOIN said USING (card_id)
				LEFT JOIN placed p ON p.card_id = c.card_id AND p.conversation_id = e.conversation_id
			ORDER BY e.exposure_id, c.card_id`,
		) as AsyncIterable<unknown> as AsyncIterable<SeenByExposure>,
});
