import {type Named, whoIs} from './markdown-roles.js';

/** The ways in which logs say who speaks. */
export type LogStyle = 'heading' | 'bold' | 'bracket' | 'stamped' | 'colon';

/** A line that says who speaks next. */
export interface RoleLine extends Named {
	readonly style: LogStyle;
	/** Level of a heading, else 0. */
	readonly level: number;
	/** As the line has it; null when it states none. */
	readonly time: string | null;
	/** Where in the line the first words of the message begin; null when they begin on the next one. */
	readonly textAt: number | null;
}

const COLON = /^[ \t]*[:：][ \t]*/;
const DIGITS =
	'\\d{4}[-/]\\d{1,2}[-/]\\d{1,2}(?:[T ]\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?:\\s*(?:Z|UTC|[+-]\\d{2}:?\\d{2}))?)?';
/** A day with or without a clock time, or what is left of one. */
const TIME = new RegExp(`${DIGITS}|\\d{1,2}:\\d{2}(?::\\d{2})?`);
/** What may stand behind a name: a time or a remark in brackets, or a time behind a dash. */
const BEHIND = new RegExp(`^[ \\t]*(?:[(（[]([^()（）[\\]]{1,60})[)）\\]]|[-–—@|·,][ \\t]*(${DIGITS}))`);
const HEADING = /^(#{1,6})[ \t]+(?=\S)/;
/** A heading that says who speaks is short, in characters. */
const HEADING_MAX = 200;
/** Signs that logs put before a name, such as an emoji; a bold name inside a heading is one too. */
const SIGNS = /^[^\p{L}\p{N}[(（]+/u;
const BOLD = /^(\*\*|__)([^*_\n]{1,60}?)([:：]?)\1/;
const BRACKET = /^\[([^[\]\n]{1,60})\]/;
const STAMP = new RegExp(`^(?:\\[(${DIGITS})\\]|\\((${DIGITS})\\)|(${DIGITS}))[ \\t]*(?:[-–—|][ \\t]*)?`);
const NAME = /^[^:：()（）[\]\n]{1,40}/;
/** What follows a name in brackets where it is a link or a note in place of somebody's words. */
const REFERENCE = /^(?:https?:|<|\/|\.{1,2}\/|#|mailto:)/i;
const NOBODY = /^(?:[^\p{L}]*|\^.*|x|trace|debug|info|notice|warn|warning|error|fatal|critical|todo|note)$/iu;

const readers: readonly ((line: string) => RoleLine | null)[] = [heading, bold, stamped, bracket, colon];

/** Reads a line as one that says who speaks; null for every other line. At most one style fits a line. */
export function roleLine(line: string): RoleLine | null {
	for (const reader of readers) {
		const found = reader(line);
		if (found) return found;
	}
	return null;
}

/** `## User`, `### Human (2024-12-08 16:13:52)`, `## 🧑 **User**:` */
function heading(line: string): RoleLine | null {
	const mark = HEADING.exec(line);
	if (!mark || line.length > HEADING_MAX) return null;
	const label = line
		.slice(mark[0].length)
		.replace(/[ \t]+#*[ \t]*$/, '')
		.replaceAll('**', '')
		.replace(SIGNS, '');
	const name = nameIn(label.split(/[ \t]+[-–—@|·][ \t]+/)[0] ?? '');
	const behind = behindName(label.slice(name.length));
	const who = whoIs(name, true);
	if (who.role === null || !behind || behind.rest.trim() !== '') return null;
	return {...who, style: 'heading', level: mark[1]?.length ?? 0, time: behind.time, textAt: null};
}

/** `**Human** - 2024-12-08 16:13:52 UTC`, `**User:** text`. A name of nobody known needs a time. */
function bold(line: string): RoleLine | null {
	const mark = BOLD.exec(line);
	if (!mark) return null;
	const name = nameIn(mark[2]?.replace(SIGNS, '') ?? '');
	const inner = behindName(mark[2]?.replace(SIGNS, '').slice(name.length) ?? '');
	const rest = line.slice(mark[0].length);
	const outer = mark[3] === '' ? behindName(rest) : {time: null, rest, hasColon: true, hasRemark: false};
	if (inner?.rest !== '' || !outer) return null;
	const time = inner.time ?? outer.time;
	const who = whoIs(name, true);
	const isAlone = outer.rest.trim() === '';
	if ((who.role === null && time === null) || !(isAlone || outer.hasColon || inner.hasColon)) return null;
	const textAt = isAlone ? null : line.length - outer.rest.trimStart().length;
	return {...who, style: 'bold', level: 0, time, textAt};
}

/** `[Speaker]: text` */
function bracket(line: string): RoleLine | null {
	const mark = BRACKET.exec(line);
	const behind = mark && behindName(line.slice(mark[0].length));
	if (!mark || !behind?.hasColon || REFERENCE.test(behind.rest) || NOBODY.test((mark[1] ?? '').trim())) return null;
	return {...whoIs(mark[1] ?? ''), style: 'bracket', level: 0, time: behind.time, textAt: textAt(line, behind.rest)};
}

/** `[2024-12-08 16:13] Speaker: text` */
function stamped(line: string): RoleLine | null {
	const mark = STAMP.exec(line);
	if (!mark) return null;
	const name = nameIn(line.slice(mark[0].length));
	const behind = behindName(line.slice(mark[0].length + name.length));
	if (name.trim() === '' || NOBODY.test(name.trim()) || !behind?.hasColon) return null;
	const time = mark[1] ?? mark[2] ?? mark[3] ?? null;
	return {...whoIs(name), style: 'stamped', level: 0, time, textAt: textAt(line, behind.rest)};
}

/** `User: text`, `用户：text`; for known names only, with nothing but a time behind them, since any text may begin so. */
function colon(line: string): RoleLine | null {
	const name = nameIn(line);
	const behind = name.trim() === '' ? null : behindName(line.slice(name.length));
	const who = whoIs(name);
	if (who.role === null || !behind?.hasColon || (behind.hasRemark && behind.time === null)) return null;
	return {...who, style: 'colon', level: 0, time: behind.time, textAt: textAt(line, behind.rest)};
}

const nameIn = (text: string): string => NAME.exec(text)?.[0] ?? '';

const textAt = (line: string, rest: string): number | null => (rest.trim() === '' ? null : line.length - rest.length);

interface Behind {
	readonly time: string | null;
	readonly rest: string;
	readonly hasColon: boolean;
	/** Something stands between the name and the colon. */
	readonly hasRemark: boolean;
}

/** Reads a time or remark and a colon, one or both of which may be missing; null when something else follows a name. */
function behindName(text: string): Behind | null {
	const remark = BEHIND.exec(text);
	const after = text.slice(remark?.[0].length ?? 0);
	const mark = COLON.exec(after);
	const words = (remark?.[2] ?? remark?.[1] ?? '').trim();
	const time = TIME.exec(words)?.[0].replaceAll('/', '-') ?? null;
	if (!mark && after.trim() !== '') return null;
	const rest = mark ? after.slice(mark[0].length) : '';
	return {time, rest, hasColon: mark !== null, hasRemark: remark !== null};
}
