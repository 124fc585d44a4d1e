import {compareStrings} from '../../core/json.js';
import {cutCodePoints} from '../../text/code-points.js';
import {readLexicon} from '../../text/lexicon.js';
import {oneLine} from '../../text/normalize.js';

const stop = readLexicon('stopwords');
const STOP_WORDS = new Set(stop.en ?? []);
const STOP_CHARACTERS = new Set(stop.zh_characters ?? []);
const TERMS_MAX = 4;
const CHINESE_TERM_MAX = 4;
const FALLBACK_CHARS = 24;

/**
 * What some texts are about, in few words: the most frequent content words (Latin) and runs of Chinese between
 * function characters, joined by ` · `. Falls back to the beginning of the first text.
 */
export function titleOf(texts: readonly string[]): string {
	const counts = new Map<string, {count: number; first: number}>();
	let position = 0;
	for (const text of texts) {
		for (const term of terms(text)) {
			const seen = counts.get(term);
			if (seen) seen.count++;
			else counts.set(term, {count: 1, first: position});
			position++;
		}
	}
	const best = [...counts]
		.sort(([a, x], [b, y]) => y.count - x.count || weight(b) - weight(a) || x.first - y.first || compareStrings(a, b))
		.slice(0, TERMS_MAX)
		.sort(([, x], [, y]) => x.first - y.first)
		.map(([term]) => term);
	return best.length > 0 ? best.join(' · ') : cutCodePoints(oneLine(texts[0] ?? ''), FALLBACK_CHARS);
}

/** Longer terms say more; a Chinese character counts like two letters. */
const weight = (term: string): number => (/\p{Script=Han}/u.test(term) ? 2 * term.length : Math.min(term.length, 8));

function terms(text: string): string[] {
	const found: string[] = [];
	for (const [run] of text
		.normalize('NFKC')
		.matchAll(/\p{Script=Han}+|[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{N}._\-/'’]*/gu)) {
		if (/^\p{Script=Han}/u.test(run)) found.push(...chineseTerms(run));
		else {
			const word = withoutTail(run).toLowerCase();
			if (word.length > 2 && !STOP_WORDS.has(word.replace(/['’]/gu, '')) && !/^\d+$/.test(word)) found.push(word);
		}
	}
	return found;
}

/** Without joining marks at the end; a loop, since a regular expression would try every start. */
function withoutTail(run: string): string {
	let end = run.length;
	while (end > 0 && "._-/'’".includes(run.charAt(end - 1))) end--;
	return run.slice(0, end);
}

function chineseTerms(run: string): string[] {
	const found: string[] = [];
	let term = '';
	for (const character of [...run, '的']) {
		if (!STOP_CHARACTERS.has(character)) {
			term += character;
			continue;
		}
		if (term.length >= 2 && term.length <= CHINESE_TERM_MAX) found.push(term);
		term = '';
	}
	return found;
}
