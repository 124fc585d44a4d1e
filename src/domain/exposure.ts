import type {Instant} from '../core/time.js';

export type JudgeLabel = 'useful' | 'none' | 'harmful';
/** Which query met which matrix, or words. */
export type Route = 'q1_m2' | 'q2_m2' | 'q1_m4' | 'q2_m4' | 'lexical';
export type Availability = 'nightly' | 'immediate';
export type Pool = 'delivered' | 'rejected' | 'not_judged';

/** A card as the judge saw it. */
export interface Segment {
	readonly card_id: string;
	readonly beat_ids: readonly string[];
	readonly text: string;
}

/** Where a candidate stood in one route. */
export interface ExposureCandidate {
	readonly candidate_id: string;
	readonly kind: 'card' | 'entry';
	readonly route: Route;
	/** From 1. */
	readonly rank: number;
	/** (cos+1)/2 for the vector routes, BM25 for the lexical one; rounded to six decimals. */
	readonly score: number;
	/** Place in the pool, from 1. */
	readonly pool_rank: number;
}

/** One message's (or question's) pass through the funnel. Columns are described in docs/schema.md. */
export interface Exposure {
	readonly exposure_id: string;
	readonly arm_sha: string;
	readonly arm: string;
	readonly target_kind: 'message' | 'question';
	readonly target_id: string;
	readonly repeat: number;
	readonly line: string;
	readonly conversation_id: string | null;
	readonly chat_window: string | null;
	readonly cutoff: Instant | null;
	readonly cutoff_seq: number | null;
	readonly cutoff_basis: 'time' | 'order' | 'end';
	readonly availability: Availability;
	readonly state_sha: string;
	readonly q1: string;
	readonly q2: string;
	readonly candidate_ids: readonly string[];
	readonly shortlist: readonly string[];
	readonly kept_ids: readonly string[];
	readonly segments: readonly Segment[];
	readonly decision: 'deliver' | 'skip';
	readonly pool: Pool;
	readonly reason: string;
	readonly label: JudgeLabel | null;
	readonly label_wire: string | null;
	readonly segs: readonly number[];
	readonly segs_status: string | null;
	readonly delivered_ids: readonly string[];
	readonly rendered_text: string | null;
	readonly rendered_sha256: string | null;
	readonly n_beats: number;
	readonly n_chars: number;
	readonly n_candidates: number;
	readonly ranked_sources: readonly string[] | null;
	readonly max_seen_until: Instant | null;
	readonly card_set_id: string;
	readonly fingerprint: string;
	readonly prompt_shas: Readonly<Record<string, string>>;
	readonly models: Readonly<Record<string, string>>;
	readonly n_model_calls: number;
	readonly degraded: boolean;
	readonly timings: {readonly recall_ms: number; readonly mid_filter_ms: number; readonly judge_ms: number};
	readonly latency_ms: number;
}
