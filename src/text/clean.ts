import {readLexicon} from './lexicon.js';

const lexicon = readLexicon('injected');
const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const TAG_NAMES = (lexicon.tags ?? []).map(escapeRegExp).join('|');
/** An opening or closing tag; attributes are bounded, so that a text of many tags is read in one pass. */
const TAG = new RegExp(`<(/?)(${TAG_NAMES})(?:\\s[^<>]{0,2000})?>`, 'giu');
const BLOCKS = (lexicon.blocks ?? []).map(pair => pair.split(' … ') as [string, string]);
const UNTIL = lexicon.until ?? [];
const LINES = new Set(lexicon.lines ?? []);

/** A stretch of UTF-16 units, end exclusive. */
interface Stretch {
	readonly from: number;
	readonly to: number;
}

/**
 * What programs have put into a text: resident, handoff and state blocks, the record preface, everything up to the
 * dynamic-context separator, and system-reminder-like tags with what they enclose (a tag without its partner alone).
 * @returns stretches of UTF-16 units in order, without overlap
 */
export function injectedStretches(text: string): Stretch[] {
	return joined([...untilStretches(text), ...blockStretches(text), ...tagStretches(text), ...lineStretches(text)]);
}

/** A text without what programs have put into it: the one function for every stage that reads a user's words. */
export function cleanInjected(text: string): string {
	return remaining(text)
		.map(({from, to}) => text.slice(from, to))
		.join('')
		.trim();
}

/** What is left of a text beside the injected stretches, in order. */
export function remaining(text: string): Stretch[] {
	const kept: Stretch[] = [];
	let at = 0;
	for (const {from, to} of injectedStretches(text)) {
		if (from > at) kept.push({from: at, to: from});
		at = to;
	}
	if (at < text.length) kept.push({from: at, to: text.length});
	return kept;
}

const untilStretches = (text: string): Stretch[] =>
	UNTIL.flatMap(line => {
		const at = text.lastIndexOf(line);
		return at < 0 ? [] : [{from: 0, to: at + line.length}];
	});

function blockStretches(text: string): Stretch[] {
	const found: Stretch[] = [];
	for (const [open, close] of BLOCKS) {
		for (let from = text.indexOf(open); from >= 0; ) {
			const end = text.indexOf(close, from + open.length);
			const to = end < 0 ? text.length : end + close.length;
			found.push({from, to});
			from = text.indexOf(open, to);
		}
	}
	return found;
}

function tagStretches(text: string): Stretch[] {
	const tags = [...text.matchAll(TAG)].map(match => ({
		name: match[2]!.toLowerCase(),
		closes: match[1] === '/',
		from: match.index,
		to: match.index + match[0].length,
	}));
	// Next closing tag of each name, looked up from the end, so that nothing is scanned twice.
	const closing = new Map<string, number>();
	const partner = new Array<number>(tags.length).fill(-1);
	for (let i = tags.length - 1; i >= 0; i--) {
		const {name, closes} = tags[i]!;
		if (closes) closing.set(name, i);
		else partner[i] = closing.get(name) ?? -1;
	}
	const found: Stretch[] = [];
	for (let i = 0; i < tags.length; i++) {
		const end = tags[i]!.closes ? -1 : partner[i]!;
		found.push({from: tags[i]!.from, to: end < 0 ? tags[i]!.to : tags[end]!.to});
		if (end >= 0) i = end;
	}
	return found;
}

function lineStretches(text: string): Stretch[] {
	if (![...LINES].some(line => text.includes(line))) return [];
	const found: Stretch[] = [];
	let from = 0;
	for (const line of text.split('\n')) {
		const to = Math.min(text.length, from + line.length + 1);
		if (LINES.has(line.trim())) found.push({from, to});
		from = to;
	}
	return found;
}

function joined(stretches: readonly Stretch[]): Stretch[] {
	const found: Stretch[] = [];
	for (const {from, to} of [...stretches].sort((a, b) => a.from - b.from || a.to - b.to)) {
		const last = found.at(-1);
		if (last && from <= last.to) found[found.length - 1] = {from: last.from, to: Math.max(last.to, to)};
		else found.push({from, to});
	}
	return found;
}
