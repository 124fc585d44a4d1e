import type {Instant} from '../core/time.js';

/** The two clocks. Stages read time nowhere else. */
export interface Clock {
	/** Wall time, for records of runs only; no result depends on it. */
	now(): Instant;
	/** Milliseconds of a clock that never goes back, for latencies. */
	monotonicMs(): number;
}
