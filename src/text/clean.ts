import {readLexicon} from './lexicon.js';

const lexicon = readLexicon('injected');
const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const TAG_NAMES = (lexicon.tags ?? []).map(escapeRegExp).join('|');
const WHOLE_TAGS = new RegExp(`<(${TAG_NAMES})(?:\\s[^<>]*)?>[\\s\\S]*?</\\1>`, 'giu');
const STRAY_TAGS = new RegExp(`</?(?:${TAG_NAMES})(?:\\s[^<>]*)?>`, 'giu');
const BLOCKS = (lexicon.blocks ?? []).map(pair => {
	const [open = '', close = ''] = pair.split(' … ');
	return new RegExp(`${escapeRegExp(open)}[\\s\\S]*?(?:${escapeRegExp(close)}|$)`, 'gu');
});
const UNTIL = (lexicon.until ?? []).map(line => new RegExp(`[\\s\\S]*${escapeRegExp(line)}`, 'u'));
const LINES = new Set(lexicon.lines ?? []);

/**
 * Takes out what programs have put into a text: resident, handoff and state blocks, the record preface, everything up
 * to the dynamic-context separator, and system-reminder-like tags. One function for every stage that reads a user's
 * words, so that nothing recalled comes back in as something said.
 */
export function cleanInjected(text: string): string {
	let clean = text;
	for (const pattern of UNTIL) clean = clean.replace(pattern, '');
	for (const pattern of BLOCKS) clean = clean.replace(pattern, '');
	clean = clean.replace(WHOLE_TAGS, '').replace(STRAY_TAGS, '');
	if ([...LINES].some(line => clean.includes(line))) {
		clean = clean
			.split('\n')
			.filter(line => !LINES.has(line.trim()))
			.join('\n');
	}
	return clean.trim();
}
