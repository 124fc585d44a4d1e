import type {Day, Instant} from '../core/time.js';
import type {Card, CardWarning, CardWithBeats, Event, Window} from '../domain/card.js';
import type {Conversation, Message, Question} from '../domain/conversation.js';
import type {Exposure, ExposureCandidate} from '../domain/exposure.js';

// What the stages need of the store, a port for each kind of thing. `src/store` implements them over DuckDB.

/** What changed when a conversation was written again. */
export interface WriteCounts {
	readonly added: number;
	readonly updated: number;
	readonly unchanged: number;
}

/** A file that was read. */
export interface Source {
	readonly source_id: string;
	readonly path: string;
	readonly sha256: string;
	readonly bytes: number;
	readonly format: string;
	readonly importer_version: number;
	readonly counts: Readonly<Record<string, unknown>>;
	readonly warnings: readonly unknown[];
}

export interface ImportStore {
	/** Fits the memory of the store to what is in it by now, so that an import takes no more than it needs. */
	makeRoom(): Promise<void>;
	/** Runs a unit of work; all of it is kept or none. */
	unit<T>(work: () => Promise<T>): Promise<T>;
	/** The conversation as it is in the file, with its messages in order; null when it is new. */
	conversation(conversationId: string): Promise<{conversation: Conversation; messages: Message[]} | null>;
	/** Writes a new conversation with its messages. */
	addConversation(conversation: Conversation, messages: readonly Message[]): Promise<void>;
	/**
	 * Puts a newer state in place of the old. Replaced texts go to message_versions; windows that showed a changed
	 * message are superseded with their cards, so that the next extract makes them again.
	 * @param changed ids of messages whose text changed
	 */
	replaceConversation(
		conversation: Conversation,
		messages: readonly Message[],
		changed: readonly Message[],
	): Promise<void>;
	addQuestions(questions: readonly Question[]): Promise<WriteCounts>;
	/** Message ids of a line by native id. */
	messageIdsByNativeId(line: string): Promise<ReadonlyMap<string, string>>;
	/** Adds a source unless the same content is there already. */
	addSource(source: Source, runId: string, importedAt: Instant): Promise<void>;
	/** What a source held, once it is read. */
	finishSource(sourceId: string, counts: Source['counts'], warnings: Source['warnings']): Promise<void>;
}

/** A conversation and what the window planner needs of it. */
export interface ConversationText {
	readonly conversation: Pick<Conversation, 'conversation_id' | 'kind' | 'line'>;
	/** Visible messages of persons and assistants, in order. */
	readonly messages: readonly Message[];
}

export interface CardSet {
	readonly card_set_id: string;
	readonly kind: 'extract' | 'aggregate';
	readonly maker: string;
	readonly params: Readonly<Record<string, unknown>>;
	readonly prompt_sha: string | null;
	readonly parent_set_id: string | null;
}

/** What an extracted window leaves in the store, in one commit. */
export interface WindowResult {
	readonly window: Window;
	readonly card_set_id: string;
	readonly status: 'done' | 'failed';
	readonly error: string | null;
	readonly raw_answer: string | null;
	readonly events: readonly Event[];
	readonly cards: readonly CardWithBeats[];
	readonly warnings: readonly CardWarning[];
}

export interface ExtractStore {
	addCardSet(set: CardSet): Promise<void>;
	conversations(): AsyncIterable<ConversationText>;
	/** Handled windows of a conversation that are not superseded: id, day, status. */
	windows(
		cardSetId: string,
		conversationId: string,
	): Promise<readonly {window_id: string; day: string; status: string}[]>;
	/** Writes handled windows, in place of older rows with the same ids, in one commit. */
	saveWindows(results: readonly WindowResult[], runId: string): Promise<void>;
	/** Marks windows, and the cards made from them, superseded. */
	supersedeWindows(windowIds: readonly string[]): Promise<void>;
}

/** One attempt at a batch. */
export interface BatchResult {
	readonly batch_id: string;
	readonly attempt: number;
	readonly card_set_id: string;
	readonly line: string;
	readonly day: Day;
	readonly ordinal: number;
	readonly input_card_ids: readonly string[];
	readonly status: 'accepted' | 'rejected';
	readonly violations: readonly {kind: string; detail: string}[];
	readonly raw_answer: string | null;
	readonly seen_until: Instant | null;
	readonly seen_until_seq: number | null;
	readonly cards: readonly CardWithBeats[];
	readonly log: readonly {source_card_ids: readonly string[]; result_card_id: string; reason: string}[];
	readonly warnings: readonly CardWarning[];
}

export interface AggregateStore {
	addCardSet(set: CardSet): Promise<void>;
	/** Live extracted cards of a set by line, day and conversation, each with its beats, in time order. */
	dayCards(cardSetId: string): AsyncIterable<{line: string; day: Day; cards: CardWithBeats[]}>;
	/** Batches of a set that are not superseded: newest status by id, and attempts so far. */
	batches(
		cardSetId: string,
	): Promise<readonly {batch_id: string; line: string; day: Day; status: string; attempts: number}[]>;
	saveBatch(result: BatchResult, runId: string): Promise<void>;
	supersedeBatches(batchIds: readonly string[]): Promise<void>;
}

/** A card version for reading: beats that may be delivered, and until when it was the valid one. */
export interface MemoryCard extends Omit<Card, 'source_card_ids' | 'drop_ruler' | 'drop_reason'> {
	readonly beats: readonly MemoryBeat[];
	/** The batch that replaced this version: its seen_until; null while it is the valid one. */
	readonly replaced: {readonly seen_until: Instant | null; readonly seen_until_seq: number | null} | null;
}

export interface MemoryBeat {
	readonly beat_id: string;
	readonly card_id: string;
	readonly ordinal: number;
	readonly message_id: string;
	readonly conversation_id: string;
	readonly seq: number;
	readonly char_start: number;
	readonly quote: string;
	readonly role: string;
	readonly speaker: string | null;
	readonly observed_at: Instant | null;
	readonly context_note: string;
	/**
	 * The visible message before the source in its conversation, cut: its speaker and text. Null at the start, and where
	 * the same speaker goes on: then the source is no answer to it.
	 */
	readonly preceding: string | null;
}

export interface IndexRow {
	readonly card_set_id: string;
	readonly fingerprint: string;
	readonly recipe: string;
	readonly matrix: 'm2' | 'm4';
	readonly row_id: string;
	readonly card_id: string;
	readonly text_sha256: string;
}

/** What `recall --explain` asks of a card that may be anywhere in the file. */
export interface CardState {
	readonly card_set_id: string;
	/** It belongs to the set that is read, or to the set that this was made from. */
	readonly in_set: boolean;
	readonly line: string;
	readonly state: string;
	readonly disposition: string;
	readonly drop_ruler: string | null;
	readonly drop_reason: string | null;
}

export interface MemoryStore {
	cardState(cardSetId: string, cardId: string): Promise<CardState | null>;
	/** Lines that have cards in the set, in order. */
	lines(cardSetId: string): Promise<readonly string[]>;
	/** Card versions of a line that recall may read. @param includeDropped also dropped cards */
	memoryCards(cardSetId: string, line: string, includeDropped: boolean): Promise<readonly MemoryCard[]>;
	/** Row ids of an index and the text that each stands for. */
	indexRows(cardSetId: string, fingerprint: string, recipe: string, line?: string): Promise<readonly IndexRow[]>;
	/** Which of the texts have a vector. */
	embedded(fingerprint: string, shas: readonly string[]): Promise<ReadonlySet<string>>;
	vectors(fingerprint: string, shas: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
	addVectors(fingerprint: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
	/** Puts the rows of an index in place of the old ones. */
	replaceIndexRows(cardSetId: string, fingerprint: string, recipe: string, rows: readonly IndexRow[]): Promise<void>;
	fingerprints(cardSetId: string): Promise<readonly string[]>;
	cardSets(): Promise<readonly CardSet[]>;
}

/** A message that a replay may aim at. */
export interface MessageTarget extends Message {
	readonly line: string;
	readonly kind: Conversation['kind'];
}

/** What a target's context is made of. */
export type LineMessage = Pick<Message, 'conversation_id' | 'seq' | 'text' | 'created_at'>;

/** What a run needs to know of an exposure that is there already. */
export interface KnownExposure {
	readonly state_sha: string;
	readonly delivered_ids: readonly string[];
	readonly pool: string;
	readonly reason: string;
	readonly ranked_sources: readonly string[] | null;
}

export interface ReplayStore {
	addArm(arm: {arm_sha: string; name: string; config: unknown}): Promise<void>;
	/** Visible messages, in time order of their line, then conversation and seq. */
	messageTargets(): AsyncIterable<MessageTarget>;
	questions(): Promise<readonly Question[]>;
	/** Visible user and assistant messages of a line with their texts, by conversation and order. */
	lineMessages(line: string): Promise<readonly LineMessage[]>;
	/** Exposures of an arm and repeat by id. */
	exposures(armSha: string, repeat: number): Promise<ReadonlyMap<string, KnownExposure>>;
	/** Writes exposures, in place of older ones with the same ids. */
	saveExposures(
		exposures: readonly (Exposure & {candidates: readonly ExposureCandidate[]})[],
		runId: string,
	): Promise<void>;
}

/** What a run is made with. */
export interface RunRecord {
	readonly stage: string;
	readonly arm: string | null;
	readonly params: Readonly<Record<string, unknown>>;
	readonly prompt_shas: Readonly<Record<string, string>>;
	readonly models: Readonly<Record<string, string>>;
}

export interface RunStore {
	startRun(record: RunRecord): Promise<string>;
	finishRun(
		runId: string,
		status: 'done' | 'partial' | 'failed' | 'interrupted',
		counts: unknown,
		error: string | null,
	): Promise<void>;
}

/** Something that a check found wrong. */
export interface Finding {
	/** Kind in snake_case; docs/checks.md explains each. */
	readonly kind: string;
	/** The row: an id. */
	readonly where: string;
	readonly detail: string;
}

/** A candidate, or a card that the judge saw, beside the cutoff of its exposure. */
export interface SeenByExposure {
	readonly exposure_id: string;
	readonly card_id: string;
	readonly cutoff: Instant | null;
	readonly cutoff_seq: number | null;
	readonly cutoff_basis: 'time' | 'order' | 'end';
	readonly availability: 'nightly' | 'immediate';
	readonly target_conversation: string | null;
	readonly seen_until: Instant | null;
	readonly seen_until_seq: number | null;
	readonly card_conversation: string | null;
	/** Latest message that a beat of the card quotes. */
	readonly last_said: Instant | null;
	/** Latest place in the target's own conversation that a beat of the card quotes. */
	readonly last_seq: number | null;
}

/** A beat that a judge or user was shown. */
export interface ShownBeat {
	readonly exposure_id: string;
	readonly beat_id: string;
	readonly quote: string;
	/** The segment that is said to hold it. */
	readonly text: string;
}

export interface CheckStore {
	/** Findings that a query alone can tell, by the name of the check. */
	findings(): AsyncIterable<Finding>;
	/** Beats that exposures showed, each with the text that is said to hold it. */
	shownBeats(): AsyncIterable<ShownBeat>;
	/** Everything that exposures listed or showed. */
	seenByExposures(): AsyncIterable<SeenByExposure>;
}
