import type {CardWithBeats, Window} from '../domain/card.js';
import type {JudgeLabel} from '../domain/exposure.js';

// The model tasks as ports. A baseline and, later, a language model answer in the same shape, and the stages put
// every answer through the same checks.

/** Who answers, for the rows of a run. */
export interface TaskModel {
	/** Name and version, such as `verbatim/1`. */
	readonly id: string;
	/** sha256 of the prompt file; null for baselines. */
	readonly promptSha: string | null;
	/** Whether a call costs a call of a language model. */
	readonly isLanguageModel: boolean;
}

/** An answer, or why there is none. */
export type Answer<T> =
	| {readonly ok: true; readonly value: T}
	| {readonly ok: false; readonly error: string; readonly raw: string | null};

/** The extractor's answer as it comes over the wire (seed 1, 数据结构与离线生产). Short ids are m1..mk. */
export interface ExtractAnswer {
	readonly events: readonly {
		readonly summary: string;
		readonly related_user_message_ids: readonly string[];
		readonly carded: boolean;
		readonly reason: string;
	}[];
	readonly cards: readonly {
		readonly title: string;
		readonly tags: readonly string[];
		readonly relay_quote: boolean;
		readonly beats: readonly {
			readonly quote: string;
			readonly source_message_id: string;
			readonly observed_at: string | null;
			readonly context_note: string;
		}[];
	}[];
}

export interface Extractor extends TaskModel {
	extract(window: Window, options: ExtractOptions): Promise<Answer<ExtractAnswer>>;
}

export interface ExtractOptions {
	/** `one`: at most one short beat of the assistant a card. `all`: its sentences are beats too. */
	readonly assistantBeats: 'one' | 'all';
}

/** The aggregator's answer as it comes over the wire; short message ids are batch-wide. */
export interface AggregateAnswer {
	readonly aggregate_log: readonly {
		readonly source_card_ids: readonly string[];
		readonly result_card_id: string;
		readonly reason: string;
	}[];
	readonly cards: readonly {
		readonly card_id: string;
		readonly source_card_ids: readonly string[];
		readonly title: string;
		readonly tags: readonly string[];
		readonly beats: readonly AggregateBeat[];
		readonly disposition: 'keep' | 'drop';
		readonly drop_ruler: string | null;
		readonly drop_reason: string | null;
	}[];
}

export interface AggregateBeat {
	readonly quote: string;
	readonly source_message_id: string;
	readonly observed_at: string | null;
	readonly context_note: string;
}

/** The cards of a batch, and the short ids of the messages that their beats quote. */
export interface Batch {
	readonly batch_id: string;
	readonly cards: readonly CardWithBeats[];
	/** message_id to short id. */
	readonly shortIds: ReadonlyMap<string, string>;
}

export interface Aggregator extends TaskModel {
	/** @param violations what was wrong with the answer before; empty at the first attempt */
	aggregate(batch: Batch, violations: readonly {kind: string; detail: string}[]): Promise<Answer<AggregateAnswer>>;
}

/** A line of the light index. */
export interface IndexLine {
	readonly candidate_id: string;
	readonly line: string;
}

export interface ShortlistInput {
	readonly target: string;
	/** In id order, as a model sees them. */
	readonly lines: readonly IndexLine[];
	/** Candidate ids in the arm's order. */
	readonly order: readonly string[];
}

export interface Shortlister extends TaskModel {
	/** @returns ids of at most three candidates worth a closer look; none is a good answer */
	shortlist(input: ShortlistInput): Promise<Answer<readonly string[]>>;
}

export interface JudgeInput {
	readonly target: string;
	readonly segments: readonly {
		readonly text: string;
		/** Share of the target's idf weight that the segment's words cover, 0..1. */
		readonly overlap: number;
		/** Standardised best cosine of its beats with Q1 among all that was visible. */
		readonly z: number;
	}[];
}

export interface Verdict {
	readonly label: JudgeLabel;
	/** The label as written: 有用, 没用, 有害, or in English. */
	readonly wire: string;
	/** From 1; empty unless useful. */
	readonly segs: readonly number[];
}

export interface Judge extends TaskModel {
	judge(input: JudgeInput): Promise<Answer<Verdict>>;
}
