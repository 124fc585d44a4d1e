// Thresholds of the judge without a model (ours). docs/decisions.md tells the set that they were tuned on.

/** Share of the target's idf weight that a segment's words must cover. */
export const JUDGE_OVERLAP_MIN = 0.45;
/** Standard deviations by which the best cosine of a segment must stand out. */
export const JUDGE_Z_MIN = 2.8;
