import type {Vocabulary} from './static-vocabulary.js';

/** Raised when the same text would give other tokens; part of the fingerprint of the static embedder. */
export const STATIC_PREPARATION_VERSION = 1;

/** Row numbers of the tokens of a text in the two tables, and what the two languages' shares are taken from. */
export interface Segments {
	readonly zh: readonly number[];
	/** A known word is one row, an unknown one its pieces. */
	readonly latin: readonly number[];
	/** Chinese characters, known or not. */
	readonly hanCharacters: number;
	/** Latin words and numbers, known or not. */
	readonly latinWords: number;
}

/**
 * Ranges are written out, since \p{Script=Han} grows with the Unicode version of the runtime and vectors must not.
 * All of them lie in the basic plane, so one character is one UTF-16 unit.
 */
const RUN = /[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff]+|[A-Za-z0-9]+/g;
const COMBINING = /[\u0300-\u036f]/g;
/** Parts of an identifier: `parseHTTPBody2` is parse, HTTP, Body, 2. */
const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const FIRST_HAN_UNIT = 0x3005;

/**
 * Finds the tokens of a text: Chinese by longest match, Latin as whole words or else pieces. Width forms and accents
 * fold together. Punctuation, emoji and other scripts carry no token, so Latin glued to Chinese equals the spaced form.
 * @param zh is called only where the text has Chinese, so that its table may be read late; the same for latin
 */
export function segment(text: string, zh: () => Vocabulary, latin: () => Vocabulary): Segments {
	const zhRows: number[] = [];
	const latinRows: number[] = [];
	let hanCharacters = 0;
	let latinWords = 0;
	for (const [run] of text.normalize('NFKD').replace(COMBINING, '').matchAll(RUN)) {
		if (run.charCodeAt(0) >= FIRST_HAN_UNIT) {
			hanCharacters += run.length;
			matchLongest(run, zh(), zhRows);
		} else {
			latinWords++;
			matchLatin(run, latin(), latinRows);
		}
	}
	return {zh: zhRows, latin: latinRows, hanCharacters, latinWords};
}

function matchLongest(run: string, vocabulary: Vocabulary, found: number[]): void {
	let at = 0;
	while (at < run.length) {
		let end = Math.min(run.length, at + vocabulary.longest);
		for (; end > at; end--) {
			const row = vocabulary.word(run, at, end);
			if (row < 0) continue;
			found.push(row);
			break;
		}
		at = Math.max(at + 1, end);
	}
}

/** A whole word where the table has it, else the parts of the identifier, each whole or in pieces. */
function matchLatin(run: string, vocabulary: Vocabulary, found: number[]): void {
	const whole = vocabulary.word(run.toLowerCase(), 0, run.length);
	if (whole >= 0) found.push(whole);
	else for (const part of run.match(PARTS) ?? []) matchPieces(part.toLowerCase(), vocabulary, found);
}

/** Greedy longest match from the left, as in MiniLM's own tokenizer; what no piece covers is skipped. */
function matchPieces(word: string, vocabulary: Vocabulary, found: number[]): void {
	let at = 0;
	while (at < word.length) {
		let end = Math.min(word.length, at + vocabulary.longest);
		for (; end > at; end--) {
			const row = at === 0 ? vocabulary.word(word, at, end) : vocabulary.piece(word, at, end);
			if (row < 0) continue;
			found.push(row);
			break;
		}
		at = Math.max(at + 1, end);
	}
}
