/** Exposures between two commits when no language model is called (ours); with one, every exposure commits by itself. */
export const EXPOSURES_PER_COMMIT = 50;
