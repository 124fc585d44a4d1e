import {cleanInjected} from '../text/clean.js';
import {readLexicon} from '../text/lexicon.js';

/**
 * Text of role user that a program put there: markup of harnesses and memory tools, notices, pasted context. The lists
 * are data, `lexicons/injected.yaml`. That nothing here fits is no proof of a person.
 */
const lexicon = readLexicon('injected');
const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const anyOf = (words: readonly string[]): string => words.map(escapeRegExp).join('|');

const TAGS = anyOf(lexicon.tags ?? []);
const EXACT_TAGS = anyOf(lexicon.leading_tags ?? []);
/** An opening tag at the start of a text, of any case or of the case that the list has. */
const OPENINGS = [
	new RegExp(`^\\s*<(${TAGS})(?:\\s[^<>]*)?>`, 'i'),
	new RegExp(`^\\s*<(${EXACT_TAGS})(?:\\s[^<>]*)?>`),
] as const;
/** A closing tag that has its line for itself. */
const CLOSING_LINE = new RegExp(`^[ \\t]*</(${TAGS})>[ \\t]*\\r?$`, 'im');
const BLOCKS = (lexicon.blocks ?? []).map(pair => pair.split(' … ') as [string, string]);
const UNTIL = lexicon.until ?? [];
const LINE = new RegExp(`^\\s*(?:${anyOf(lexicon.lines ?? [])})[ \\t]*(?:\\r?\\n|$)`);
/** A path is told by how it begins or by its last part, so that a person's "Contents of my fridge:" is not meant. */
const PATH = '(?:(?:~|\\.{0,2}/|[A-Za-z]:\\\\)[^\\n]*|[^\\s:]*\\.[A-Za-z0-9]{1,8}(?: \\([^\\n]*\\))?)';
const STARTS = (lexicon.message_starts ?? []).map(
	start =>
		new RegExp(`^${escapeRegExp(start).replace('<path>:', `${PATH}:\\s*(?:\\n|$)`)}${/\w$/.test(start) ? '\\b' : ''}`),
);

/** A text of role user without what programs put into it. */
export interface InjectedSplit {
	/** `all`: no word of a person is left; `start`: a program's text comes first; `inside`: it stands further on. */
	readonly injection: 'all' | 'start' | 'inside' | 'none';
	/** The words that may be a person's, as every later stage reads them; empty with `all`. */
	readonly rest: string;
}

/** Tells the words that may be a person's from what programs put before and between them. */
export function splitInjected(text: string): InjectedSplit {
	const behind = withoutInjected(text);
	const rest = cleanInjected(behind);
	if (rest === '' && text.trim() !== '') return {injection: 'all', rest};
	if (behind !== text) return {injection: 'start', rest};
	return {injection: rest === text.trim() ? 'none' : 'inside', rest};
}

/** `injected` when a program wrote all of a text of role user; `human` takes evidence that a text alone cannot give. */
export const authorshipOfUserText = (text: string): 'injected' | 'unknown' =>
	splitInjected(text).injection === 'all' ? 'injected' : 'unknown';

/** Whether a program wrote all, the start or nothing of a text of role user. */
export function injectionIn(text: string): 'all' | 'start' | 'none' {
	const {injection} = splitInjected(text);
	return injection === 'inside' ? 'none' : injection;
}

/** What is left of a text of role user without the program's text at its start; blank when all of it is a program's. */
export function withoutInjected(text: string): string {
	let rest = text;
	for (;;) {
		const end = injectedEnd(rest);
		if (end === 0) return rest;
		rest = rest.slice(end);
	}
}

/** Length of the first piece of a program's text at the start; 0 when there is none. */
function injectedEnd(text: string): number {
	const start = text.trimStart();
	const from = text.length - start.length;
	if (STARTS.some(pattern => pattern.test(start))) return text.length;
	for (const line of UNTIL) {
		const at = text.lastIndexOf(line);
		if (at >= 0) return at + line.length;
	}
	const block = BLOCKS.find(([open]) => start.startsWith(open));
	if (block) return endAfter(text, block[1], from);
	const sentinel = LINE.exec(text);
	if (sentinel) return sentinel[0].length;
	const opening = OPENINGS.map(pattern => pattern.exec(text)).find(match => match !== null);
	if (opening) return endAfter(text, `</${opening[1]}>`, opening[0].length);
	return strayCloseEnd(text, from);
}

/** The index behind the closing text. What was never closed was cut, and what follows cannot be told from it. */
function endAfter(text: string, close: string, from: number): number {
	const at = text.indexOf(close, from);
	return at < 0 ? text.length : at + close.length;
}

/** Behind a closing tag whose opening was cut off: it ends what stands before it in the first paragraph. */
function strayCloseEnd(text: string, from: number): number {
	const blank = /\n[ \t]*\r?\n/.exec(text.slice(from));
	const paragraph = text.slice(0, blank ? from + blank.index : text.length);
	const closing = CLOSING_LINE.exec(paragraph);
	if (!closing) return 0;
	const isOpened = paragraph.slice(0, closing.index).toLowerCase().includes(`<${closing[1]?.toLowerCase()}`);
	return isOpened ? 0 : closing.index + closing[0].length;
}
