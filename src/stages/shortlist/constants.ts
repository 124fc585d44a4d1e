// Seed 1, part 一 中筛. Each number stands with the sentence that it comes from.

/** "最多留 3 张，一张都不留也完全可以" */
export const SHORTLIST_MAX = 3;
/** "quote 是最前两条 verified 拍" */
export const INDEX_LINE_QUOTES = 2;
/** "各最多 120 字符". Code points. */
export const INDEX_LINE_QUOTE_CHARS_MAX = 120;
/** "来源消息交集占较小集合比例 ≥0.5 视为同事，只留靠前一张" */
export const SAME_EVENT_SHARE_MIN = 0.5;
