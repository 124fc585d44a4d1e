// Page "cards" of the design, Aggregate; the seed gives the rules, the budgets are ours.

/** Most cards in one batch (ours). */
export const BATCH_CARDS_MAX = 40;
/** Most code points of a batch's rendered cards (ours). */
export const BATCH_CHARS_MAX = 12_000;
/** A refused batch is tried once more with its violations shown, then it stays pending. */
export const ATTEMPTS_MAX = 2;
/** "身体、情绪、未结约定优先保留，工程语境不能推翻这条优先级" (seed 1, 二审): tags that a drop may not overrule. */
export const PROTECTED_TAGS = /身体|情绪|约定|\b(?:body|health|mood|emotion|agreement)s?\b/iu;
