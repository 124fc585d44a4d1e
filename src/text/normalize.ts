/**
 * A text's form for comparing quotes: NFKC, lower case left alone, white space and punctuation out (seed 1, 裁卡:
 * "包含比较采用 NFKC、去空白标点").
 */
export const comparisonForm = (text: string): string => text.normalize('NFKC').replace(/[\s\p{P}]/gu, '');

/** A quote on one line: "引文换行压成空格" (seed 1); every other white space is the quote's own. */
export const quoteLine = (quote: string): string =>
	quote.replace(/[ \t]*[\r\n\u0085\u2028\u2029]+[ \t]*/gu, ' ').trim();

/** One line: every run of white space becomes one space, none at the edges. */
export const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();
