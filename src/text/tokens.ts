/**
 * Identifiers, versions, paths and numbers stay whole (`gen-itgc`, `v2.1`, `src/a.ts`), plain words are words, and a
 * run of Chinese, Japanese or Korean becomes its characters' bigrams (a lone character itself).
 */
const RUN =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々〆ー]+|[\p{L}\p{M}\p{N}]+(?:[._\-/:@#'’][\p{L}\p{M}\p{N}]+)*/gu;
const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々〆ー]/u;
const GLUED = /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々〆ー]+)/u;

/** Raised when the same text would give other tokens; part of what a run records. */
export const TOKENIZER_VERSION = 1;

/**
 * Lexical tokens of a text, in order, with repeats: NFKC, lower case, both sides of a search alike. A joined Latin
 * token also gives its parts, so that `gen` finds `gen-itgc`.
 */
export function tokenize(text: string): string[] {
	const tokens: string[] = [];
	for (const [run] of text.normalize('NFKC').toLowerCase().matchAll(RUN)) {
		for (const piece of run.split(GLUED)) {
			if (piece === '') continue;
			if (CJK.test(piece)) tokens.push(...bigrams(piece));
			else tokens.push(...latin(piece));
		}
	}
	return tokens;
}

function bigrams(run: string): string[] {
	const characters = Array.from(run);
	if (characters.length === 1) return characters;
	return characters.slice(1).map((character, i) => characters[i]! + character);
}

function latin(run: string): string[] {
	const whole = run.replace(/^[._\-/:@#'’]+|[._\-/:@#'’]+$/gu, '');
	if (whole === '') return [];
	const possessive = whole.replace(/['’]s$/u, '');
	const parts = possessive.split(/[._\-/:@#'’]/u).filter(part => part !== '');
	return parts.length > 1 ? [possessive, ...parts] : [possessive];
}
