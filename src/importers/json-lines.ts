import {withoutBom} from './bytes.js';
import type {ReadRecord} from './port.js';
import {DEPTH_MAX, parsePrefix} from './prefix.js';

/** A line longer than this is skipped: V8 holds no string much longer, and no chat has such a message. */
export const LINE_BYTES_MAX = 256 * 1024 * 1024;

const LF = 10;
const SPACES = new Set([9, 13, 32]);

interface Line {
	/** Null when the line was longer than may be kept. */
	readonly bytes: Buffer | null;
	readonly number: number;
}

/** Lines without their line feed, numbered on from `first`. Memory is bounded by one line. */
async function* splitLines(chunks: AsyncIterable<Buffer>, first: number, maxBytes: number): AsyncGenerator<Line> {
	let parts: Buffer[] = [];
	let size = 0;
	let number = first;
	const take = (): Line => {
		const bytes = size > maxBytes ? null : Buffer.concat(parts);
		parts = [];
		size = 0;
		return {bytes, number: number++};
	};
	for await (const chunk of chunks) {
		let from = 0;
		for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
			add(chunk.subarray(from, at));
			from = at + 1;
			yield take();
		}
		add(chunk.subarray(from));
	}
	if (size > 0) yield take();

	function add(bytes: Buffer): void {
		size += bytes.length;
		if (size > maxBytes) parts = [];
		else if (bytes.length > 0) parts.push(bytes);
	}
}

/** Where a reader of lines begins, when a file's first value was read by other means. */
export interface LinesStart {
	readonly line: number;
	readonly ordinal: number;
}

/**
 * One JSON value a line. Blank lines are skipped; a line that is no JSON gives `ok: false`, and reading goes on.
 * @param chunks clean UTF-8, see `cleanBytes`
 */
export async function* readLines(
	chunks: AsyncIterable<Buffer>,
	{line: first, ordinal: firstOrdinal}: LinesStart = {line: 1, ordinal: 0},
	maxBytes: number = LINE_BYTES_MAX,
): AsyncGenerator<ReadRecord> {
	let ordinal = firstOrdinal;
	for await (const line of splitLines(chunks, first, maxBytes)) {
		if (line.bytes && isBlank(line.bytes)) continue;
		yield readLine(line, ordinal);
		ordinal += 1;
	}
}

function isBlank(bytes: Buffer): boolean {
	return withoutBom(bytes).every(byte => SPACES.has(byte));
}

function readLine({bytes, number}: Line, ordinal: number): ReadRecord {
	if (!bytes) return broken(number, 1, 'the line is too long');
	const body = withoutBom(bytes);
	if (isTooDeep(body)) return broken(number, 1, `nested deeper than ${DEPTH_MAX} levels`);
	const text = body.toString('utf8');
	try {
		return {ok: true, value: JSON.parse(text) as unknown, ordinal, position: {line: number, column: 1}};
	} catch {
		const {state, end} = parsePrefix(text, {whole: true});
		const column = Buffer.byteLength(text.slice(0, end)) + 1;
		return broken(number, column, state === 'cut' ? 'the line ends inside a value' : 'this is no JSON');
	}
}

const broken = (line: number, column: number, detail: string): ReadRecord => ({
	ok: false,
	problem: 'broken_line',
	detail,
	position: {line, column},
});

/** Whether brackets outside strings open deeper than is allowed. */
function isTooDeep(bytes: Buffer): boolean {
	if (bytes.length <= DEPTH_MAX * 2) return false;
	let depth = 0;
	let inString = false;
	for (let at = 0; at < bytes.length; at += 1) {
		const byte = bytes[at];
		if (inString) {
			if (byte === 0x5c) at += 1;
			else if (byte === 0x22) inString = false;
		} else if (byte === 0x22) inString = true;
		else if (byte === 0x7b || byte === 0x5b) {
			depth += 1;
			if (depth > DEPTH_MAX) return true;
		} else if (byte === 0x7d || byte === 0x5d) depth -= 1;
	}
	return false;
}
