import {cleanBytes, type OnRepair, readHead} from './bytes.js';
import {readLines} from './json-lines.js';
import {type RecordPath, streamRecords} from './json-stream.js';
import type {ImportContext, ImportFile, Position, ReadRecord} from './port.js';
import {type Layout, layoutOf} from './prefix.js';

/** How much of a file is read to tell its shape, in bytes. */
export const SAMPLE_BYTES = 512 * 1024;

/** How to read a file. */
export interface RecordOptions {
	/** For one object: the member whose elements are the records. Without it the object is the only record. */
	readonly member?: string | null;
	/** Told about invalid UTF-8 and NUL bytes. */
	readonly onRepair?: OnRepair;
}

/** The layout of a file, told by its first bytes. */
export async function layoutOfFile(file: ImportFile): Promise<Layout> {
	const {text, whole} = await readHead(file.open(), SAMPLE_BYTES);
	return layoutOf(text, whole);
}

/**
 * Reads the records of a JSON file in order: the elements of an array, one object (or the elements of one of its
 * members), or one value a line. Memory is bounded by one record. What is broken is yielded, never thrown:
 * a broken line is passed over (`broken_line`), a syntax error in a document ends it (`broken_json`).
 */
export async function* readRecords(file: ImportFile, options: RecordOptions = {}): AsyncGenerator<ReadRecord> {
	const layout = await layoutOfFile(file);
	const source = new ByteSource(cleanBytes(file.open(), options.onRepair));
	try {
		if (layout.shape === 'lines') yield* readLines(source);
		else if (layout.shape === 'text') yield brokenJson('this is no JSON', {line: 1, column: 1});
		else yield* readDocument(source, layout, options.member ?? null);
	} finally {
		await source.close();
	}
}

async function* readDocument(source: ByteSource, layout: Layout, member: string | null): AsyncGenerator<ReadRecord> {
	const end = yield* streamRecords(source, pathOf(layout, member));
	if (end.state === 'complete') return;
	const isLines =
		layout.shape === 'object' &&
		((end.state === 'extra' && end.oneLine) || (layout.mayBeLines && end.position.line === 1));
	if (end.state === 'broken') {
		const problem = isLines ? 'broken_line' : 'broken_json';
		yield {ok: false, problem, detail: end.detail, position: end.position};
	} else if (!isLines) yield brokenJson(end.detail, end.position);
	if (!isLines) return;
	// The first line was too long for the sample: it looked like one object, and the rest shows that it was a line.
	source.unread(end.rest);
	if (end.state === 'broken') await source.skipLine();
	const line = end.position.line + (end.state === 'broken' ? 1 : 0);
	yield* readLines(source, {line, ordinal: end.ordinal + (end.state === 'broken' ? 1 : 0)});
}

function pathOf(layout: Layout, member: string | null): RecordPath {
	if (layout.shape === 'array') return {kind: 'elements'};
	return member === null ? {kind: 'value'} : {kind: 'member', name: member};
}

const brokenJson = (detail: string, position: Position): ReadRecord => ({
	ok: false,
	problem: 'broken_json',
	detail,
	position,
});

/** An iterator of chunks that can take a piece back. */
class ByteSource implements AsyncIterable<Buffer> {
	readonly #chunks: AsyncGenerator<Buffer>;
	#unread: Buffer | null = null;

	constructor(chunks: AsyncGenerator<Buffer>) {
		this.#chunks = chunks;
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
		for (let chunk = await this.#next(); chunk; chunk = await this.#next()) yield chunk;
	}

	unread(bytes: Buffer): void {
		if (bytes.length > 0) this.#unread = bytes;
	}

	/** Drops everything up to and with the next line feed. */
	async skipLine(): Promise<void> {
		for (let chunk = await this.#next(); chunk; chunk = await this.#next()) {
			const feed = chunk.indexOf(10);
			if (feed < 0) continue;
			this.unread(chunk.subarray(feed + 1));
			return;
		}
	}

	async close(): Promise<void> {
		await this.#chunks.return(undefined);
	}

	async #next(): Promise<Buffer | null> {
		const again = this.#unread;
		this.#unread = null;
		if (again) return again;
		const {value, done} = await this.#chunks.next();
		return done ? null : value;
	}
}

/** `path:line:column`, as editors understand it. */
export const placeOf = (file: ImportFile, {line, column}: Position): string => `${file.path}:${line}:${column}`;

/** The records that could be read; what could not is warned about, and so is what had to be mended. */
export async function* readGood(
	file: ImportFile,
	context: Pick<ImportContext, 'warn'>,
	options: Pick<RecordOptions, 'member'> = {},
): AsyncGenerator<Extract<ReadRecord, {ok: true}>> {
	const onRepair: OnRepair = (kind, count, line) => context.warn(kind, `${file.path}:${line}`, `${count} bytes`);
	for await (const record of readRecords(file, {...options, onRepair})) {
		if (record.ok) yield record;
		else context.warn(record.problem, placeOf(file, record.position), record.detail);
	}
}
