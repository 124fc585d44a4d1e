/** Messages between two commits (ours): a stop loses little, and a commit costs little against them. */
export const MESSAGES_PER_COMMIT = 500;
/** Warnings that are kept with their place; all are counted (ours). */
export const WARNINGS_KEPT = 100;
