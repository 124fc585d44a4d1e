-- The first schema. Column comments are the documentation: docs/schema.md is made from them.
-- A comment that starts with "(volatile)" marks a column that canonical exports leave out.

CREATE TABLE meta (key VARCHAR PRIMARY KEY, value VARCHAR NOT NULL);
COMMENT ON TABLE meta IS 'Facts about the file: schema_version, created_at, hindcast_version, memory_zone.';
COMMENT ON COLUMN meta.key IS 'Name of the fact.';
COMMENT ON COLUMN meta.value IS 'Its value as text.';

CREATE TABLE runs (
	run_id VARCHAR PRIMARY KEY, stage VARCHAR NOT NULL, arm VARCHAR, params JSON NOT NULL, config_sha VARCHAR NOT NULL,
	prompt_shas JSON NOT NULL, models JSON NOT NULL, code_version VARCHAR NOT NULL, started_at TIMESTAMPTZ NOT NULL,
	finished_at TIMESTAMPTZ, status VARCHAR NOT NULL, counts JSON, error VARCHAR);
COMMENT ON TABLE runs IS 'One row an invocation of a stage.';
COMMENT ON COLUMN runs.run_id IS '(volatile) Id of the invocation.';
COMMENT ON COLUMN runs.stage IS 'import, extract, aggregate, index or replay.';
COMMENT ON COLUMN runs.arm IS 'Name of the arm; null outside replays.';
COMMENT ON COLUMN runs.params IS 'The settings in full, defaults included.';
COMMENT ON COLUMN runs.config_sha IS 'sha256 of params as canonical JSON.';
COMMENT ON COLUMN runs.prompt_shas IS 'Task to sha256 of the prompt file used; empty for baselines.';
COMMENT ON COLUMN runs.models IS 'Task to the model or baseline that answered.';
COMMENT ON COLUMN runs.code_version IS 'Version of hindcast.';
COMMENT ON COLUMN runs.started_at IS '(volatile) Wall clock, UTC.';
COMMENT ON COLUMN runs.finished_at IS '(volatile) Wall clock, UTC; null while running.';
COMMENT ON COLUMN runs.status IS 'running, done, partial, failed or interrupted.';
COMMENT ON COLUMN runs.counts IS 'What the run counted, as its --json result.';
COMMENT ON COLUMN runs.error IS 'Code and message when it failed.';

CREATE TABLE sources (
	source_id VARCHAR PRIMARY KEY, path VARCHAR NOT NULL, sha256 VARCHAR NOT NULL, bytes BIGINT NOT NULL,
	format VARCHAR NOT NULL, importer_version INTEGER NOT NULL, counts JSON NOT NULL, warnings JSON NOT NULL,
	imported_at TIMESTAMPTZ NOT NULL, run_id VARCHAR NOT NULL);
COMMENT ON TABLE sources IS 'One row a file, or member of an archive, that was imported.';
COMMENT ON COLUMN sources.source_id IS 'Id from format and content.';
COMMENT ON COLUMN sources.path IS '(volatile) As given when it was first imported; a member is archive!member.';
COMMENT ON COLUMN sources.sha256 IS 'sha256 of the bytes.';
COMMENT ON COLUMN sources.bytes IS 'Size in bytes.';
COMMENT ON COLUMN sources.format IS 'Importer that read it.';
COMMENT ON COLUMN sources.importer_version IS 'Version of that importer.';
COMMENT ON COLUMN sources.counts IS 'conversations, messages, questions, and skipped by reason.';
COMMENT ON COLUMN sources.warnings IS 'The first hundred warnings: kind, where, detail.';
COMMENT ON COLUMN sources.imported_at IS '(volatile) Wall clock of the first import, UTC.';
COMMENT ON COLUMN sources.run_id IS '(volatile) Run that first imported it.';

CREATE TABLE conversations (
	conversation_id VARCHAR PRIMARY KEY, source_id VARCHAR NOT NULL, native_id VARCHAR, title VARCHAR,
	created_at TIMESTAMPTZ, updated_at TIMESTAMPTZ, kind VARCHAR NOT NULL, line VARCHAR NOT NULL,
	do_not_remember BOOLEAN NOT NULL, extra JSON);
COMMENT ON TABLE conversations IS 'One row a conversation of an export.';
COMMENT ON COLUMN conversations.conversation_id IS 'Id from format and native id, else from its first messages.';
COMMENT ON COLUMN conversations.source_id IS 'Source that last added to it.';
COMMENT ON COLUMN conversations.native_id IS 'Id in the export; null when it has none.';
COMMENT ON COLUMN conversations.title IS 'Title in the export; null when it has none.';
COMMENT ON COLUMN conversations.created_at IS 'As the export says, UTC.';
COMMENT ON COLUMN conversations.updated_at IS 'As the export says, UTC.';
COMMENT ON COLUMN conversations.kind IS 'assistant: a person and a model; people: every speaker counts like the user.';
COMMENT ON COLUMN conversations.line IS 'Scope of memory; recall never crosses it.';
COMMENT ON COLUMN conversations.do_not_remember IS 'The owner asked that it not be remembered; left out of extraction.';
COMMENT ON COLUMN conversations.extra IS 'Other members of the record.';

CREATE TABLE messages (
	message_id VARCHAR PRIMARY KEY, conversation_id VARCHAR NOT NULL, seq INTEGER NOT NULL, native_id VARCHAR,
	parent_id VARCHAR, role VARCHAR NOT NULL, speaker VARCHAR, text VARCHAR NOT NULL, created_at TIMESTAMPTZ,
	time_quality VARCHAR NOT NULL, authorship VARCHAR NOT NULL, status VARCHAR NOT NULL, is_visible BOOLEAN NOT NULL,
	attachments JSON NOT NULL, raw JSON, UNIQUE (conversation_id, seq));
COMMENT ON TABLE messages IS 'One row a message, branches included.';
COMMENT ON COLUMN messages.message_id IS 'Id from format, conversation and native id, else from place, role and text.';
COMMENT ON COLUMN messages.conversation_id IS 'Its conversation.';
COMMENT ON COLUMN messages.seq IS 'Place in the order of the export, from 0.';
COMMENT ON COLUMN messages.native_id IS 'Id in the export; null when it has none.';
COMMENT ON COLUMN messages.parent_id IS 'message_id of the message that it answers; null at a root or in a flat export.';
COMMENT ON COLUMN messages.role IS 'user, assistant, system or tool.';
COMMENT ON COLUMN messages.speaker IS 'Name as the export has it.';
COMMENT ON COLUMN messages.text IS 'What a person could see, as it is. Spans count its code points.';
COMMENT ON COLUMN messages.created_at IS 'UTC; null when the export has no time.';
COMMENT ON COLUMN messages.time_quality IS 'exact, inherited (from the message before or from the session) or missing.';
COMMENT ON COLUMN messages.authorship IS 'human on positive evidence, injected when a program wrote it, else unknown.';
COMMENT ON COLUMN messages.status IS 'done, aborted or what the export says.';
COMMENT ON COLUMN messages.is_visible IS 'On the path to the current leaf, and not hidden.';
COMMENT ON COLUMN messages.attachments IS 'List of {name, type, text}.';
COMMENT ON COLUMN messages.raw IS 'The record as the export has it.';

CREATE TABLE message_versions (
	message_id VARCHAR NOT NULL, text_sha256 VARCHAR NOT NULL, text VARCHAR NOT NULL, raw JSON,
	PRIMARY KEY (message_id, text_sha256));
COMMENT ON TABLE message_versions IS 'Texts that a newer export has replaced: nothing that was imported is lost.';
COMMENT ON COLUMN message_versions.message_id IS 'The message.';
COMMENT ON COLUMN message_versions.text_sha256 IS 'sha256 of the replaced text.';
COMMENT ON COLUMN message_versions.text IS 'The replaced text.';
COMMENT ON COLUMN message_versions.raw IS 'The replaced record.';

CREATE TABLE questions (
	question_id VARCHAR PRIMARY KEY, line VARCHAR NOT NULL, text VARCHAR NOT NULL, asked_at TIMESTAMPTZ,
	evidence JSON NOT NULL, category VARCHAR, answerable BOOLEAN NOT NULL, answer VARCHAR, context JSON, extra JSON);
COMMENT ON TABLE questions IS 'Questions with known evidence, from LoCoMo, the bench sets and the like.';
COMMENT ON COLUMN questions.question_id IS 'Id from line and native id, else from its content.';
COMMENT ON COLUMN questions.line IS 'Line of memory that it is put to.';
COMMENT ON COLUMN questions.text IS 'The question.';
COMMENT ON COLUMN questions.asked_at IS 'Cutoff, UTC; null: asked after everything in the line.';
COMMENT ON COLUMN questions.evidence IS 'message_ids that hold the answer.';
COMMENT ON COLUMN questions.category IS 'Category of the set.';
COMMENT ON COLUMN questions.answerable IS 'False: nothing ought to be recalled.';
COMMENT ON COLUMN questions.answer IS 'Gold answer; never shown to the pipeline.';
COMMENT ON COLUMN questions.context IS 'Lines said just before, oldest first; null when the set has none.';
COMMENT ON COLUMN questions.extra IS 'Other members of the record.';

CREATE TABLE card_sets (
	card_set_id VARCHAR PRIMARY KEY, kind VARCHAR NOT NULL, maker VARCHAR NOT NULL, params JSON NOT NULL,
	prompt_sha VARCHAR, parent_set_id VARCHAR);
COMMENT ON TABLE card_sets IS 'Cards made by one configuration of one stage.';
COMMENT ON COLUMN card_sets.card_set_id IS 'Id from kind, maker, params, prompt and parent.';
COMMENT ON COLUMN card_sets.kind IS 'extract or aggregate.';
COMMENT ON COLUMN card_sets.maker IS 'Extractor or aggregator with its version, such as verbatim/1.';
COMMENT ON COLUMN card_sets.params IS 'Settings that shape the cards.';
COMMENT ON COLUMN card_sets.prompt_sha IS 'sha256 of the prompt file; null for baselines.';
COMMENT ON COLUMN card_sets.parent_set_id IS 'For aggregate: the set that it reads.';

CREATE TABLE windows (
	window_id VARCHAR PRIMARY KEY, card_set_id VARCHAR NOT NULL, conversation_id VARCHAR NOT NULL, day VARCHAR NOT NULL,
	ordinal INTEGER NOT NULL, parts JSON NOT NULL, n_user INTEGER NOT NULL, n_chars INTEGER NOT NULL,
	seen_until TIMESTAMPTZ, seen_until_seq INTEGER NOT NULL, status VARCHAR NOT NULL, error VARCHAR, raw_answer VARCHAR,
	run_id VARCHAR NOT NULL);
COMMENT ON TABLE windows IS 'One row an extraction window that was handled.';
COMMENT ON COLUMN windows.window_id IS 'Id from card set, conversation, day and what it shows.';
COMMENT ON COLUMN windows.card_set_id IS 'Card set that it belongs to.';
COMMENT ON COLUMN windows.conversation_id IS 'Its conversation.';
COMMENT ON COLUMN windows.day IS 'Day of the memory zone, or none for messages without time.';
COMMENT ON COLUMN windows.ordinal IS 'Place among the windows of its conversation and day, from 0.';
COMMENT ON COLUMN windows.parts IS 'List of [message_id, start, end] in code points.';
COMMENT ON COLUMN windows.n_user IS 'Non-empty messages of persons in it.';
COMMENT ON COLUMN windows.n_chars IS 'Code points of the rendered window.';
COMMENT ON COLUMN windows.seen_until IS 'Time of the latest message shown; null when none has a time.';
COMMENT ON COLUMN windows.seen_until_seq IS 'Order of the latest message shown.';
COMMENT ON COLUMN windows.status IS 'done, failed, or superseded when a newer import has changed what it shows.';
COMMENT ON COLUMN windows.error IS 'Why it failed.';
COMMENT ON COLUMN windows.raw_answer IS 'The answer that could not be read.';
COMMENT ON COLUMN windows.run_id IS '(volatile) Run that handled it.';

CREATE TABLE events (
	event_id VARCHAR PRIMARY KEY, card_set_id VARCHAR NOT NULL, window_id VARCHAR NOT NULL, ordinal INTEGER NOT NULL,
	summary VARCHAR NOT NULL, related_message_ids JSON NOT NULL, carded BOOLEAN NOT NULL, reason VARCHAR NOT NULL);
COMMENT ON TABLE events IS 'What the extractor listed, made a card or not.';
COMMENT ON COLUMN events.event_id IS 'Id from window, ordinal and summary.';
COMMENT ON COLUMN events.card_set_id IS 'Card set of its window.';
COMMENT ON COLUMN events.window_id IS 'Its window.';
COMMENT ON COLUMN events.ordinal IS 'Place in the answer, from 0.';
COMMENT ON COLUMN events.summary IS 'The event in the extractor''s words.';
COMMENT ON COLUMN events.related_message_ids IS 'Messages of persons that it is about.';
COMMENT ON COLUMN events.carded IS 'A card was made of it.';
COMMENT ON COLUMN events.reason IS 'Why it was, or was not.';

CREATE TABLE cards (
	card_id VARCHAR PRIMARY KEY, card_set_id VARCHAR NOT NULL, window_id VARCHAR, batch_id VARCHAR, line VARCHAR NOT NULL,
	conversation_id VARCHAR, day VARCHAR NOT NULL, ordinal INTEGER NOT NULL, title VARCHAR NOT NULL, tags JSON NOT NULL,
	relay_quote BOOLEAN NOT NULL, source_card_ids JSON NOT NULL, disposition VARCHAR NOT NULL, drop_ruler VARCHAR,
	drop_reason VARCHAR, seen_until TIMESTAMPTZ, seen_until_seq INTEGER, state VARCHAR NOT NULL);
COMMENT ON TABLE cards IS 'Event cards, from windows and from aggregation.';
COMMENT ON COLUMN cards.card_id IS 'Id from card set, window or batch, ordinal and beat keys.';
COMMENT ON COLUMN cards.card_set_id IS 'Its card set.';
COMMENT ON COLUMN cards.window_id IS 'Window that it was made from; null for aggregated cards.';
COMMENT ON COLUMN cards.batch_id IS 'Batch that it was made in; null for extracted cards.';
COMMENT ON COLUMN cards.line IS 'Line of memory.';
COMMENT ON COLUMN cards.conversation_id IS 'Its conversation; null when a batch spans several.';
COMMENT ON COLUMN cards.day IS 'Day of the memory zone, or none.';
COMMENT ON COLUMN cards.ordinal IS 'Place in the answer, from 0.';
COMMENT ON COLUMN cards.title IS 'One event.';
COMMENT ON COLUMN cards.tags IS 'List of tags.';
COMMENT ON COLUMN cards.relay_quote IS 'Forwarded text, not the speaker''s own words.';
COMMENT ON COLUMN cards.source_card_ids IS 'Cards that it was joined from; empty for extracted cards.';
COMMENT ON COLUMN cards.disposition IS 'keep or drop; drop is a mark, the beats stay.';
COMMENT ON COLUMN cards.drop_ruler IS 'Rule that dropped it.';
COMMENT ON COLUMN cards.drop_reason IS 'Reason in words.';
COMMENT ON COLUMN cards.seen_until IS 'Time of the latest message that the writer of title, tags and notes was shown.';
COMMENT ON COLUMN cards.seen_until_seq IS 'The same as an order in its conversation; null across conversations.';
COMMENT ON COLUMN cards.state IS 'live, or superseded when its window or batch was.';

CREATE TABLE beats (
	beat_id VARCHAR PRIMARY KEY, card_id VARCHAR NOT NULL, ordinal INTEGER NOT NULL, message_id VARCHAR,
	char_start INTEGER, char_end INTEGER, quote VARCHAR NOT NULL, role VARCHAR, speaker VARCHAR, observed_at TIMESTAMPTZ,
	context_note VARCHAR NOT NULL, verification VARCHAR NOT NULL, absorbed_by VARCHAR, filtered_reason VARCHAR);
COMMENT ON TABLE beats IS 'Verbatim quotes of the cards.';
COMMENT ON COLUMN beats.beat_id IS 'Id from card, source, quote and span.';
COMMENT ON COLUMN beats.card_id IS 'Its card.';
COMMENT ON COLUMN beats.ordinal IS 'Place in the card, from 0.';
COMMENT ON COLUMN beats.message_id IS 'Source; null when the extractor named one that does not exist.';
COMMENT ON COLUMN beats.char_start IS 'First code point in messages.text, from 0; null when not found.';
COMMENT ON COLUMN beats.char_end IS 'Code point after the last; null when not found.';
COMMENT ON COLUMN beats.quote IS 'substr(text, char_start + 1, char_end - char_start) of the message.';
COMMENT ON COLUMN beats.role IS 'Role of the message, never the extractor''s claim.';
COMMENT ON COLUMN beats.speaker IS 'Speaker of the message.';
COMMENT ON COLUMN beats.observed_at IS 'Time of the message, UTC.';
COMMENT ON COLUMN beats.context_note IS 'The situation in which it was said.';
COMMENT ON COLUMN beats.verification IS 'exact, whitespace (found with white space folded) or none (never delivered).';
COMMENT ON COLUMN beats.absorbed_by IS 'The living beat of the same card with the same key.';
COMMENT ON COLUMN beats.filtered_reason IS 'Why the program keeps it out of reading.';

CREATE TABLE card_warnings (
	warning_id VARCHAR PRIMARY KEY, card_set_id VARCHAR NOT NULL, window_id VARCHAR, batch_id VARCHAR, card_id VARCHAR,
	kind VARCHAR NOT NULL, detail VARCHAR NOT NULL);
COMMENT ON TABLE card_warnings IS 'What the checks noticed.';
COMMENT ON COLUMN card_warnings.warning_id IS 'Id from what it is about and what it says.';
COMMENT ON COLUMN card_warnings.card_set_id IS 'Card set.';
COMMENT ON COLUMN card_warnings.window_id IS 'Window, or null.';
COMMENT ON COLUMN card_warnings.batch_id IS 'Batch, or null.';
COMMENT ON COLUMN card_warnings.card_id IS 'Card, or null.';
COMMENT ON COLUMN card_warnings.kind IS 'Kind in snake_case.';
COMMENT ON COLUMN card_warnings.detail IS 'What exactly.';

CREATE TABLE aggregate_batches (
	batch_id VARCHAR NOT NULL, attempt INTEGER NOT NULL, card_set_id VARCHAR NOT NULL, line VARCHAR NOT NULL,
	day VARCHAR NOT NULL, ordinal INTEGER NOT NULL, input_card_ids JSON NOT NULL, status VARCHAR NOT NULL,
	violations JSON NOT NULL, raw_answer VARCHAR, seen_until TIMESTAMPTZ, seen_until_seq INTEGER, run_id VARCHAR NOT NULL,
	PRIMARY KEY (batch_id, attempt));
COMMENT ON TABLE aggregate_batches IS 'One row an attempt at a batch of the second review.';
COMMENT ON COLUMN aggregate_batches.batch_id IS 'Id from card set, line, day and input cards.';
COMMENT ON COLUMN aggregate_batches.attempt IS 'From 0.';
COMMENT ON COLUMN aggregate_batches.card_set_id IS 'Card set that it writes.';
COMMENT ON COLUMN aggregate_batches.line IS 'Line of memory.';
COMMENT ON COLUMN aggregate_batches.day IS 'Day of the memory zone, or none.';
COMMENT ON COLUMN aggregate_batches.ordinal IS 'Chunk of the day, from 0.';
COMMENT ON COLUMN aggregate_batches.input_card_ids IS 'Cards that went in.';
COMMENT ON COLUMN aggregate_batches.status IS 'accepted, rejected, or superseded when its input changed.';
COMMENT ON COLUMN aggregate_batches.violations IS 'List of {kind, detail}; empty when accepted.';
COMMENT ON COLUMN aggregate_batches.raw_answer IS 'The refused answer.';
COMMENT ON COLUMN aggregate_batches.seen_until IS 'Latest seen_until of the input.';
COMMENT ON COLUMN aggregate_batches.seen_until_seq IS 'Latest seen_until_seq when the batch lies in one conversation.';
COMMENT ON COLUMN aggregate_batches.run_id IS '(volatile) Run that made the attempt.';

CREATE TABLE aggregate_log (
	batch_id VARCHAR NOT NULL, ordinal INTEGER NOT NULL, source_card_ids JSON NOT NULL, result_card_id VARCHAR NOT NULL,
	reason VARCHAR NOT NULL, PRIMARY KEY (batch_id, ordinal));
COMMENT ON TABLE aggregate_log IS 'What an accepted batch joined, and why.';
COMMENT ON COLUMN aggregate_log.batch_id IS 'Its batch.';
COMMENT ON COLUMN aggregate_log.ordinal IS 'Place in the answer, from 0.';
COMMENT ON COLUMN aggregate_log.source_card_ids IS 'Cards joined.';
COMMENT ON COLUMN aggregate_log.result_card_id IS 'Card made of them.';
COMMENT ON COLUMN aggregate_log.reason IS 'Reason in words.';

CREATE TABLE embeddings (
	fingerprint VARCHAR NOT NULL, text_sha256 VARCHAR NOT NULL, dim INTEGER NOT NULL, vector BLOB NOT NULL,
	PRIMARY KEY (fingerprint, text_sha256));
COMMENT ON TABLE embeddings IS 'Vectors by content: the same text is embedded once a model.';
COMMENT ON COLUMN embeddings.fingerprint IS 'All that shapes a vector: model, hash, precision, pooling, preparation.';
COMMENT ON COLUMN embeddings.text_sha256 IS 'sha256 of the text as given to the embedder.';
COMMENT ON COLUMN embeddings.dim IS 'Numbers in the vector.';
COMMENT ON COLUMN embeddings.vector IS 'Little-endian 32-bit floats of length 1.';

CREATE TABLE index_rows (
	card_set_id VARCHAR NOT NULL, fingerprint VARCHAR NOT NULL, recipe VARCHAR NOT NULL, matrix VARCHAR NOT NULL,
	row_id VARCHAR NOT NULL, card_id VARCHAR NOT NULL, text_sha256 VARCHAR NOT NULL,
	PRIMARY KEY (card_set_id, fingerprint, recipe, matrix, row_id));
COMMENT ON TABLE index_rows IS 'Rows of the search matrices: which text stands for which card or beat.';
COMMENT ON COLUMN index_rows.card_set_id IS 'Card set that was indexed.';
COMMENT ON COLUMN index_rows.fingerprint IS 'Embedder.';
COMMENT ON COLUMN index_rows.recipe IS 'What goes into the text: plain or context.';
COMMENT ON COLUMN index_rows.matrix IS 'm2: titles and tags, a row a card; m4: with note and quote, a row a beat.';
COMMENT ON COLUMN index_rows.row_id IS 'card_id in m2, beat_id in m4.';
COMMENT ON COLUMN index_rows.card_id IS 'Its card.';
COMMENT ON COLUMN index_rows.text_sha256 IS 'The text, as in embeddings.';

CREATE TABLE arms (arm_sha VARCHAR PRIMARY KEY, name VARCHAR NOT NULL, config JSON NOT NULL);
COMMENT ON TABLE arms IS 'Pipeline configurations that were replayed, resolved in full.';
COMMENT ON COLUMN arms.arm_sha IS 'sha256 of config as canonical JSON.';
COMMENT ON COLUMN arms.name IS 'Name, with the embedder in brackets where it was overridden.';
COMMENT ON COLUMN arms.config IS 'Every setting, with card set and fingerprint.';

CREATE TABLE exposures (
	exposure_id VARCHAR PRIMARY KEY, arm_sha VARCHAR NOT NULL, arm VARCHAR NOT NULL, target_kind VARCHAR NOT NULL,
	target_id VARCHAR NOT NULL, repeat INTEGER NOT NULL, line VARCHAR NOT NULL, conversation_id VARCHAR,
	chat_window VARCHAR, cutoff TIMESTAMPTZ, cutoff_seq INTEGER, cutoff_basis VARCHAR NOT NULL,
	availability VARCHAR NOT NULL, state_sha VARCHAR NOT NULL, q1 VARCHAR NOT NULL, q2 VARCHAR NOT NULL,
	candidate_ids JSON NOT NULL, shortlist JSON NOT NULL, kept_ids JSON NOT NULL, segments JSON NOT NULL,
	decision VARCHAR NOT NULL, pool VARCHAR NOT NULL, reason VARCHAR NOT NULL, label VARCHAR, label_wire VARCHAR,
	segs JSON NOT NULL, segs_status VARCHAR, delivered_ids JSON NOT NULL, rendered_text VARCHAR, rendered_sha256 VARCHAR,
	n_beats INTEGER NOT NULL, n_chars INTEGER NOT NULL, n_candidates INTEGER NOT NULL, ranked_sources JSON,
	max_seen_until TIMESTAMPTZ, card_set_id VARCHAR NOT NULL, fingerprint VARCHAR NOT NULL, prompt_shas JSON NOT NULL,
	models JSON NOT NULL, n_model_calls INTEGER NOT NULL, degraded BOOLEAN NOT NULL, timings JSON NOT NULL,
	latency_ms DOUBLE NOT NULL, run_id VARCHAR NOT NULL);
COMMENT ON TABLE exposures IS 'One message''s (or question''s) pass through the funnel, with all that was seen.';
COMMENT ON COLUMN exposures.exposure_id IS 'Id from arm, target, cutoff and repeat; the sample_id of the reports.';
COMMENT ON COLUMN exposures.arm_sha IS 'The arm.';
COMMENT ON COLUMN exposures.arm IS 'Its name.';
COMMENT ON COLUMN exposures.target_kind IS 'message or question.';
COMMENT ON COLUMN exposures.target_id IS 'message_id or question_id.';
COMMENT ON COLUMN exposures.repeat IS 'From 0.';
COMMENT ON COLUMN exposures.line IS 'Line of memory.';
COMMENT ON COLUMN exposures.conversation_id IS 'Conversation of a message target.';
COMMENT ON COLUMN exposures.chat_window IS 'Live context within which nothing is delivered twice; null for questions.';
COMMENT ON COLUMN exposures.cutoff IS 'Only what was said before this instant may be seen, UTC; null when only the order is known.';
COMMENT ON COLUMN exposures.cutoff_seq IS 'The target''s place in its conversation.';
COMMENT ON COLUMN exposures.cutoff_basis IS 'time, order (the target has no time) or end (after everything in the line).';
COMMENT ON COLUMN exposures.availability IS 'nightly or immediate.';
COMMENT ON COLUMN exposures.state_sha IS 'sha256 of the memory and of the deliveries that this pass started from.';
COMMENT ON COLUMN exposures.q1 IS 'The cleaned target.';
COMMENT ON COLUMN exposures.q2 IS 'The lines before it and the target, each cleaned and cut.';
COMMENT ON COLUMN exposures.candidate_ids IS 'The pool, in the arm''s order.';
COMMENT ON COLUMN exposures.shortlist IS 'Cards that the shortlister chose, in its order.';
COMMENT ON COLUMN exposures.kept_ids IS 'Cards left after window and event dedupe.';
COMMENT ON COLUMN exposures.segments IS 'What the judge saw: list of {card_id, beat_ids, text}.';
COMMENT ON COLUMN exposures.decision IS 'deliver or skip.';
COMMENT ON COLUMN exposures.pool IS 'delivered, rejected (the judge said none or harmful) or not_judged.';
COMMENT ON COLUMN exposures.reason IS 'judge:有用, judge:没用, judge:有害, exempt:RULE, mid_filter_empty, …';
COMMENT ON COLUMN exposures.label IS 'useful, none or harmful; null when not judged.';
COMMENT ON COLUMN exposures.label_wire IS 'The label as the judge wrote it.';
COMMENT ON COLUMN exposures.segs IS 'Chosen segments, from 1.';
COMMENT ON COLUMN exposures.segs_status IS 'ok, or what was wrong.';
COMMENT ON COLUMN exposures.delivered_ids IS 'Cards delivered.';
COMMENT ON COLUMN exposures.rendered_text IS 'Delivered block with its preface and separator; null when nothing was.';
COMMENT ON COLUMN exposures.rendered_sha256 IS 'sha256 of rendered_text.';
COMMENT ON COLUMN exposures.n_beats IS 'Beats delivered.';
COMMENT ON COLUMN exposures.n_chars IS 'Code points of the delivered segments.';
COMMENT ON COLUMN exposures.n_candidates IS 'Size of the pool.';
COMMENT ON COLUMN exposures.ranked_sources IS 'For questions: distinct source messages in the order in which the ranked beats of the pool name them.';
COMMENT ON COLUMN exposures.max_seen_until IS 'Latest seen_until of everything listed, rendered or counted.';
COMMENT ON COLUMN exposures.card_set_id IS 'Card set that was read.';
COMMENT ON COLUMN exposures.fingerprint IS 'Embedder of the index.';
COMMENT ON COLUMN exposures.prompt_shas IS 'Task to sha256 of the prompt file; empty for baselines.';
COMMENT ON COLUMN exposures.models IS 'Task to the model or baseline that answered.';
COMMENT ON COLUMN exposures.n_model_calls IS 'Calls of language models.';
COMMENT ON COLUMN exposures.degraded IS 'A fallback was used.';
COMMENT ON COLUMN exposures.timings IS '(volatile) recall_ms, mid_filter_ms, judge_ms.';
COMMENT ON COLUMN exposures.latency_ms IS '(volatile) Milliseconds from gate to decision.';
COMMENT ON COLUMN exposures.run_id IS '(volatile) Run that made it.';

CREATE TABLE exposure_candidates (
	exposure_id VARCHAR NOT NULL, candidate_id VARCHAR NOT NULL, route VARCHAR NOT NULL, kind VARCHAR NOT NULL,
	rank INTEGER NOT NULL, score DOUBLE NOT NULL, pool_rank INTEGER NOT NULL,
	PRIMARY KEY (exposure_id, candidate_id, route));
COMMENT ON TABLE exposure_candidates IS 'The pool of an exposure: one row a candidate and route that found it.';
COMMENT ON COLUMN exposure_candidates.exposure_id IS 'Its exposure.';
COMMENT ON COLUMN exposure_candidates.candidate_id IS 'card_id (or entry_id).';
COMMENT ON COLUMN exposure_candidates.route IS 'q1_m2, q2_m2, q1_m4, q2_m4 or lexical: which query met which matrix, or words.';
COMMENT ON COLUMN exposure_candidates.kind IS 'card or entry.';
COMMENT ON COLUMN exposure_candidates.rank IS 'Place in that route, from 1.';
COMMENT ON COLUMN exposure_candidates.score IS 'Score of that route: (cos+1)/2, or BM25.';
COMMENT ON COLUMN exposure_candidates.pool_rank IS 'Place in the pool, from 1; it never cuts.';
