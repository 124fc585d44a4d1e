import type {Sample} from './port.js';

/** Deeper values are refused: nothing that people write is so deep, and later steps walk values recursively. */
export const DEPTH_MAX = 512;

/** What could be read of one JSON value at the start of a text. */
export interface PrefixValue {
	/** The value with everything closed that the text leaves open; undefined when nothing of it could be read. */
	readonly value: unknown;
	/** `cut`: the text ends inside the value; `broken`: it is no JSON from `end` on. */
	readonly state: 'complete' | 'cut' | 'broken';
	/** Index behind the value, or of the first character that does not fit. */
	readonly end: number;
	/** Elements of a top-level array that are complete. */
	readonly completeItems: number;
}

type State = PrefixValue['state'];

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NUMBER_CHARS = /[-+.\deE]*/y;
const STRING_RUN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const ESCAPE_START = /\\(?:u[\da-fA-F]{0,3})?$/;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
	['true', true],
	['false', false],
	['null', null],
]);

/**
 * Reads as much of a JSON value as the text holds; never throws. Strings that are cut keep what is there; numbers
 * and words that touch the end of a cut text are left out, since more of them may follow.
 * @param whole the text is not cut, so its end ends a number
 */
export function parsePrefix(
	text: string,
	{from = 0, whole = false}: {from?: number; whole?: boolean} = {},
): PrefixValue {
	const parser = new PrefixParser(text, from, whole);
	parser.skipSpace();
	const value = parser.value(0);
	return {value, state: parser.state, end: parser.at, completeItems: parser.completeItems};
}

class PrefixParser {
	state: State = 'complete';
	completeItems = 0;
	at: number;
	readonly #text: string;
	readonly #whole: boolean;

	constructor(text: string, from: number, whole: boolean) {
		this.#text = text;
		this.#whole = whole;
		this.at = from;
	}

	skipSpace(): void {
		for (;;) {
			const code = this.#text.charCodeAt(this.at);
			if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
			this.at += 1;
		}
	}

	value(depth: number): unknown {
		const char = this.#text[this.at];
		if (char === undefined) return this.#stop('cut');
		if (char === '{' || char === '[') {
			if (depth >= DEPTH_MAX) return this.#stop('broken');
			return char === '{' ? this.#object(depth) : this.#array(depth);
		}
		if (char === '"') return this.#string();
		if (char === '-' || (char >= '0' && char <= '9')) return this.#number();
		return this.#word();
	}

	#stop(state: State): undefined {
		this.state = state;
		return undefined;
	}

	#object(depth: number): Record<string, unknown> {
		const result: Record<string, unknown> = {};
		this.at += 1;
		this.skipSpace();
		if (this.#take('}')) return result;
		while (this.state === 'complete') {
			this.skipSpace();
			if (this.#text[this.at] !== '"') {
				this.#stop(this.#endOr('broken'));
				break;
			}
			const key = this.#string();
			if (key === undefined || this.state !== 'complete') break;
			this.skipSpace();
			if (!this.#take(':')) {
				this.#stop(this.#endOr('broken'));
				break;
			}
			this.skipSpace();
			const value = this.value(depth + 1);
			if (value !== undefined) setMember(result, key, value);
			if (!this.#goesOn('}')) break;
		}
		return result;
	}

	#array(depth: number): unknown[] {
		const result: unknown[] = [];
		this.at += 1;
		this.skipSpace();
		if (this.#take(']')) return result;
		while (this.state === 'complete') {
			this.skipSpace();
			const value = this.value(depth + 1);
			if (value !== undefined) result.push(value);
			if (depth === 0 && this.state === 'complete') this.completeItems = result.length;
			if (!this.#goesOn(']')) break;
		}
		return result;
	}

	/** After a member: true when a comma follows; the closing bracket and the end of the text end the container. */
	#goesOn(close: string): boolean {
		if (this.state !== 'complete') return false;
		this.skipSpace();
		if (this.#take(close)) return false;
		if (this.#take(',')) return true;
		this.#stop(this.#endOr('broken'));
		return false;
	}

	#string(): string | undefined {
		const start = this.at;
		this.at += 1;
		for (;;) {
			this.#skip(STRING_RUN);
			if (this.#take('"')) return JSON.parse(this.#text.slice(start, this.at)) as string;
			if (!this.#skip(ESCAPE)) break;
		}
		const rest = this.#text.slice(this.at, this.at + 6);
		const isCut = rest === '' || (ESCAPE_START.test(rest) && this.at + rest.length === this.#text.length);
		this.state = isCut ? 'cut' : 'broken';
		const kept = JSON.parse(`${this.#text.slice(start, this.at)}"`) as string;
		if (isCut) this.at = this.#text.length;
		return kept;
	}

	#number(): number | undefined {
		const start = this.at;
		NUMBER_CHARS.lastIndex = start;
		const run = NUMBER_CHARS.exec(this.#text)?.[0] ?? '';
		const touchesEnd = start + run.length === this.#text.length;
		if (touchesEnd && !this.#whole) {
			this.at = this.#text.length;
			return this.#stop('cut');
		}
		if (this.#skip(NUMBER) && this.at === start + run.length) return Number(run);
		return this.#stop('broken');
	}

	#word(): unknown {
		for (const [word, value] of WORDS) {
			if (this.#text.startsWith(word, this.at)) {
				this.at += word.length;
				return value;
			}
			const rest = this.#text.slice(this.at, this.at + word.length);
			if (word.startsWith(rest) && this.at + rest.length === this.#text.length) {
				this.at = this.#text.length;
				return this.#stop('cut');
			}
		}
		return this.#stop('broken');
	}

	#endOr(state: State): State {
		return this.at >= this.#text.length ? 'cut' : state;
	}

	#take(char: string): boolean {
		if (this.#text[this.at] !== char) return false;
		this.at += 1;
		return true;
	}

	#skip(pattern: RegExp): boolean {
		pattern.lastIndex = this.at;
		if (!pattern.test(this.#text)) return false;
		this.at = pattern.lastIndex;
		return true;
	}
}

/** As JSON.parse does it: `__proto__` is a member like any other. */
function setMember(target: Record<string, unknown>, key: string, value: unknown): void {
	if (key === '__proto__') {
		Object.defineProperty(target, key, {value, writable: true, enumerable: true, configurable: true});
		return;
	}
	target[key] = value;
}

/** How the beginning of a file is laid out. */
export interface Layout extends Sample {
	/** An object on the first line whose end the beginning does not show: more lines may follow. */
	readonly mayBeLines: boolean;
}

const RECORDS_MAX = 100;
/** A name or a time in brackets, then what was said. */
const LOG_LINE = /^\s*\[(?:[^[\]{}",\n]*\p{L}[^[\]{}",\n]*\][ \t]*[:：(（]|\d{4}[-/]\d\d?[-/]\d\d?[^[\]{}",\n]*\])/u;
const LINES_MAX = 50;

/**
 * Tells one JSON value from JSON lines from text that is neither, by content alone.
 * Broken JSON stays `array` or `object`, so that it never passes for plain text.
 */
export function layoutOf(text: string, whole: boolean): Layout {
	const clean = text.startsWith('\uFEFF') ? text.slice(1) : text;
	const first = parsePrefix(clean, {whole});
	const opener = clean.trimStart()[0];
	const isSingle = first.state === 'cut' || (first.state === 'complete' && clean.slice(first.end).trim() === '');
	const lines = isSingle ? [] : lineValues(clean, whole);
	if (lines.length > 0) return {shape: 'lines', records: lines, mayBeLines: false};
	// `[Name]: …` begins a log: nothing of JSON is followed by a colon there.
	if (opener === '[' && !LOG_LINE.test(clean)) {
		const items = Array.isArray(first.value) ? first.value.slice(0, RECORDS_MAX) : [];
		return {shape: 'array', records: items, mayBeLines: false};
	}
	if (opener === '{') {
		const mayBeLines = !whole && first.state === 'cut' && !clean.trimStart().includes('\n');
		return {shape: 'object', records: first.value === undefined ? [] : [first.value], mayBeLines};
	}
	return {shape: 'text', records: [], text: clean, mayBeLines: false};
}

/** The containers of a text that is mostly one JSON container a line; none when it is not. */
function lineValues(text: string, whole: boolean): unknown[] {
	const all = text.split('\n');
	const complete = whole ? all : all.slice(0, -1);
	const lines = complete.map(line => line.replaceAll('\uFEFF', '').trim()).filter(line => line !== '');
	const seen = lines.slice(0, LINES_MAX);
	const values = seen.flatMap(line => {
		const parsed = /^[[{]/.test(line) ? parsePrefix(line, {whole: true}) : null;
		return parsed?.state === 'complete' && parsed.end === line.length ? [parsed.value] : [];
	});
	// A broken pretty-printed value may hold a line or two that parse alone; half is the mark of a file of lines. An
	// array with one line of rubbish behind it stays an array.
	const share = (values.length * 2) / Math.max(1, seen.length);
	return share > 1 || (share === 1 && !text.trimStart().startsWith('[')) ? values : [];
}
