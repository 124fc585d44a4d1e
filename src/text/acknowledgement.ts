import {readLexicon} from './lexicon.js';

const lexicon = readLexicon('acknowledgements');
const WORDS = new Set([...(lexicon.words_zh ?? []), ...(lexicon.words_en ?? [])].map(bare));

/** NFKC, lower case, nothing but letters and digits; a run of one character at the end counts once. */
function bare(text: string): string {
	const letters = text
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');
	return letters.replace(/(.)\1+$/u, '$1');
}

/** No letter or digit at all: emoji, punctuation, symbols. Unicode categories decide, never length. */
export const isWordless = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text);

/** A text that only acknowledges: one or several words of the lexicon and nothing else. */
export function isAcknowledgement(text: string): boolean {
	if (isWordless(text)) return false;
	return text
		.split(/[，,。.!！?？;；~～\n]+/u)
		.filter(piece => !isWordless(piece))
		.every(piece => WORDS.has(bare(piece)));
}
