import {type LogStyle, type RoleLine, roleLine} from './markdown-styles.js';

/** What one speaker says, by its place in the text. */
export interface LogTurn {
	readonly who: RoleLine;
	/** Line of the file, from 1. */
	readonly line: number;
	readonly text: string;
}

/** A log, read in the one style that explains it. */
export interface Log {
	readonly style: LogStyle;
	readonly title: string | null;
	readonly turns: readonly LogTurn[];
}

interface Line {
	readonly text: string;
	readonly start: number;
	/** Where the next line begins. */
	readonly next: number;
}

interface Boundary {
	readonly who: RoleLine;
	readonly number: number;
	readonly at: Line;
}

/**
 * Reads a text as a log; null when no style explains it. The first words must be a line that says who speaks (a title may
 * stand before it), and two such lines of one style must lead to two speakers or be known roles alone. Lines in fenced
 * code say nothing about who speaks.
 */
export function readLog(text: string): Log | null {
	if (/^\s*\{/.test(text)) return null;
	const preamble = preambleOf(text);
	const lines = linesOf(text, preamble.end);
	const first = firstRole(lines);
	if (!first) return null;
	const all = boundariesIn(lines, text.slice(0, preamble.end).split('\n').length);
	const own = all.filter(({who}) => who.style === first.style && who.level === first.level);
	const boundaries = withoutStrangers(own, first.style);
	const hasPreamble = preamble.end > 0;
	if (!isLog(boundaries, all, hasPreamble)) return null;
	return {style: first.style, title: preamble.title, turns: turnsOf(text, boundaries)};
}

/** Whether the boundaries explain the text. */
function isLog(own: readonly Boundary[], all: readonly Boundary[], hasPreamble: boolean): boolean {
	const style = own[0]?.who.style;
	const roles = own.map(({who}) => who.role);
	const hasBoth = roles.includes('user') && roles.includes('assistant');
	if (own.length < 2) return false;
	if (hasPreamble) return hasBoth && (style === 'heading' || style === 'bold');
	if (hasBoth) return true;
	const isKnown = roles.includes('user') || roles.includes('assistant');
	const names = new Set(own.map(({who}) => who.speaker ?? who.role));
	// Programs write such lines too, with a level in place of a name.
	if (style === 'stamped') return names.size > 1 && isKnown;
	// Nothing but known words tells such lines from lists of properties.
	if (style === 'colon') return false;
	if (names.size > 1) return style !== 'heading' || isKnown;
	// Words of one side only: the other side may be there in a style of its own.
	const others = all.filter(({who}) => who.style !== style && who.role !== null);
	return isKnown && others.length === 0;
}

/**
 * Leaves out what a message is likelier to hold than to begin with: in brackets any other name where user and assistant
 * are both there, and a system or tool behind the first words where nothing but a word at the start of a line marks it.
 */
function withoutStrangers(own: readonly Boundary[], style: LogStyle): Boundary[] {
	const roles = own.map(({who}) => who.role);
	const isClosed = style === 'bracket' && roles.includes('user') && roles.includes('assistant');
	const firstWords = own.findIndex(({who}) => who.role === 'user' || who.role === 'assistant');
	const isLoose = style === 'colon' || style === 'heading';
	return own.filter(({who}, index) => {
		if (isClosed && who.role === null) return false;
		if (!isLoose || index < firstWords) return true;
		return who.role !== 'system' && (who.role !== 'tool' || style !== 'colon');
	});
}

interface Preamble {
	/** Where the log begins; 0 when nothing stands before it. */
	readonly end: number;
	readonly title: string | null;
}

const FRONT_MATTER = /^\s*---[ \t]*\r?\n([\s\S]{0,10000}?)\r?\n---[ \t]*(?:\r?\n|$)/;
const TITLE = /^\s*#[ \t]+([^\r\n]+)(?:\r?\n|$)/;

/** Front matter and a title of the first level, as tools write them before a log. */
function preambleOf(text: string): Preamble {
	const matter = FRONT_MATTER.exec(text);
	const from = matter?.[0].length ?? 0;
	const heading = TITLE.exec(text.slice(from, from + 2000));
	const named = /^title:[ \t]*(["']?)([^\r\n]{1,300}?)\1[ \t]*$/m.exec(matter?.[1] ?? '')?.[2] ?? null;
	if (!heading || roleLine(heading[0].trim())) return {end: from, title: named};
	return {end: from + heading[0].length, title: heading[1]?.trim() ?? named};
}

function linesOf(text: string, from: number): Line[] {
	const lines: Line[] = [];
	for (let start = from; start < text.length; ) {
		const feed = text.indexOf('\n', start);
		const next = feed < 0 ? text.length : feed + 1;
		const end = feed > start && text[feed - 1] === '\r' ? feed - 1 : feed < 0 ? text.length : feed;
		lines.push({text: text.slice(start, end), start, next});
		start = next;
	}
	return lines;
}

function firstRole(lines: readonly Line[]): RoleLine | null {
	const first = lines.find(({text}) => text.trim() !== '');
	return first ? roleLine(first.text) : null;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** The lines outside fenced code that say who speaks. A fence that is never closed is none. */
function boundariesIn(lines: readonly Line[], firstNumber: number): Boundary[] {
	const found: Boundary[] = [];
	const closing = closingFences(lines);
	for (let index = 0; index < lines.length; index += 1) {
		const line = lines[index] as Line;
		const close = closing.get(index);
		// A message may open its code on the line that names who speaks.
		const who = close === undefined || !FENCE.test(line.text) ? roleLine(line.text) : null;
		if (who) found.push({who, number: firstNumber + index, at: line});
		index = close ?? index;
	}
	return found;
}

/** For each line that opens a fence, the line that closes it. */
function closingFences(lines: readonly Line[]): Map<number, number> {
	const closing = new Map<number, number>();
	let open: {readonly index: number; readonly mark: string} | null = null;
	for (const [index, {text}] of lines.entries()) {
		if (!text.includes('```') && !text.includes('~~~')) continue;
		const [, mark = '', info = ''] = FENCE.exec(text.slice(roleLine(text)?.textAt ?? 0)) ?? [];
		if (mark === '') continue;
		if (!open) {
			if (mark[0] === '~' || !info.includes('`')) open = {index, mark};
		} else if (mark.startsWith(open.mark) && info.trim() === '') {
			closing.set(open.index, index);
			open = null;
		}
	}
	return closing;
}

const RULE = /(?:^|\n)[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*$/;

function turnsOf(text: string, boundaries: readonly Boundary[]): LogTurn[] {
	const turns = boundaries.map(({who, number, at}, index): LogTurn => {
		const from = who.textAt === null ? at.next : at.start + who.textAt;
		const to = boundaries[index + 1]?.at.start ?? text.length;
		return {who, line: number, text: withoutBlankLines(text.slice(from, to))};
	});
	// A rule between all of them is the tool's; one here and there was written.
	const isRuled = turns.length > 1 && turns.slice(0, -1).every(turn => RULE.test(turn.text));
	return isRuled ? turns.map(turn => ({...turn, text: withoutBlankLines(turn.text.replace(RULE, ''))})) : turns;
}

/** Blank lines at the ends are layout; everything between stays as it is. */
function withoutBlankLines(text: string): string {
	const end = text.trimEnd().length;
	const first = text.search(/\S/);
	return first < 0 ? '' : text.slice(text.lastIndexOf('\n', first) + 1, end);
}
