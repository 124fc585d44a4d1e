/** The public tables and what a canonical export of each is sorted by. Columns are described in the migrations. */
export const TABLES: Readonly<Record<string, readonly string[]>> = {
	meta: ['key'],
	runs: ['started_at', 'run_id'],
	sources: ['source_id'],
	conversations: ['conversation_id'],
	messages: ['message_id'],
	message_versions: ['message_id', 'text_sha256'],
	questions: ['question_id'],
	card_sets: ['card_set_id'],
	windows: ['window_id'],
	events: ['event_id'],
	cards: ['card_id'],
	beats: ['beat_id'],
	card_warnings: ['warning_id'],
	aggregate_batches: ['batch_id', 'attempt'],
	aggregate_log: ['batch_id', 'ordinal'],
	embeddings: ['fingerprint', 'text_sha256'],
	index_rows: ['card_set_id', 'fingerprint', 'recipe', 'matrix', 'row_id'],
	arms: ['arm_sha'],
	exposures: ['exposure_id'],
	exposure_candidates: ['exposure_id', 'candidate_id', 'route'],
};

/** Names that `db export --ndjson` also takes; spec 00 speaks of candidates. */
export const TABLE_ALIASES: Readonly<Record<string, string>> = {candidates: 'exposure_candidates'};

/** What a comment of a volatile column begins with. */
export const VOLATILE_MARK = '(volatile)';
