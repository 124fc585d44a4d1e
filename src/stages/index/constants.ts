/** Texts embedded between two commits (ours): small enough that a stop loses little. */
export const EMBED_BATCH = 256;
