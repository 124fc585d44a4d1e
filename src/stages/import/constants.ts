/** Messages between two commits (ours): a stop loses little, and a commit costs little against them. */
export const MESSAGES_PER_COMMIT = 500;
/** Warnings that are kept with their place; all are counted (ours). */
export const WARNINGS_KEPT = 100;
/** Files whose counts are listed; all are counted (ours). */
export const SOURCES_KEPT = 100;
/** Messages after which the store's memory is fitted to what is in it (ours). */
export const MESSAGES_PER_FITTING = 20_000;
