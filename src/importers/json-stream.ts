import {Tokenizer, TokenParser, TokenType} from '@streamparser/json';
import type {Position, ReadRecord} from './port.js';
import {DEPTH_MAX} from './prefix.js';

/** Which values of a document are its records. */
export type RecordPath =
	| {readonly kind: 'value'}
	| {readonly kind: 'elements'}
	| {readonly kind: 'member'; readonly name: string};

/** How a document ended. */
export interface StreamEnd {
	/** `extra`: the value is complete and something follows it. */
	readonly state: 'complete' | 'broken' | 'extra';
	readonly detail: string;
	/** Where it broke, or where the rest begins. */
	readonly position: Position;
	/** Bytes of the last chunk from that position on. */
	readonly rest: Buffer;
	readonly ordinal: number;
	/** Whether the value began and ended on one line. */
	readonly oneLine: boolean;
}

interface Token {
	readonly token: TokenType;
	readonly value: unknown;
	readonly offset: number;
}

const OPENERS = new Set<TokenType>([TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET]);
const CLOSERS = new Set<TokenType>([TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET]);
const MARKS = new Set<TokenType>([TokenType.COMMA, TokenType.COLON]);

/**
 * The records of one JSON document, each as soon as it is complete; memory is bounded by one record.
 * A record that is nested too deep gives `ok: false`, and reading goes on.
 * @returns how it ended, so that the caller can report it or go on behind it
 */
export async function* streamRecords(
	chunks: AsyncIterable<Buffer>,
	path: RecordPath,
): AsyncGenerator<ReadRecord, StreamEnd> {
	const machine = new RecordMachine(path);
	for await (const chunk of chunks) {
		machine.write(chunk);
		yield* machine.take();
		if (machine.ended) return machine.ended;
	}
	const ended = machine.finish();
	yield* machine.take();
	return ended;
}

/** Tokens go to the parser of the library; places, depth and the end of the document are kept here. */
class RecordMachine {
	ended: StreamEnd | null = null;
	readonly #tokenizer = new Tokenizer();
	readonly #parser: TokenParser;
	readonly #recordDepth: number;
	readonly #places = new Places();
	#records: ReadRecord[] = [];
	#ordinal = 0;
	#depth = 0;
	#start: Position = {line: 1, column: 1};
	#firstLine = 1;
	#lastLine = 1;
	#isTooDeep = false;
	#isRefused = false;
	#isComplete = false;
	#chunk: Buffer = Buffer.alloc(0);

	constructor(path: RecordPath) {
		this.#recordDepth = path.kind === 'value' ? 0 : path.kind === 'elements' ? 1 : 2;
		const selector = path.kind === 'value' ? '$' : path.kind === 'elements' ? '$.*' : `$.${path.name}.*`;
		this.#parser = new TokenParser({paths: [selector], keepStack: false});
		this.#parser.onValue = ({value}) => this.#emit(value);
		this.#tokenizer.onToken = token => this.#onToken(token as Token);
		this.#tokenizer.onError = error => this.#onTokenizerError(error);
		// The default throws into the tokenizer, which would report the same error a second time.
		this.#parser.onError = () => {
			this.#isRefused = true;
		};
	}

	write(chunk: Buffer): void {
		this.#chunk = chunk;
		this.#places.enter(chunk);
		this.#tokenizer.write(chunk);
		this.#places.leave();
	}

	/** The end of the file. */
	finish(): StreamEnd {
		this.#chunk = Buffer.alloc(0);
		// A number at the very end is a token only now.
		if (!this.ended && !this.#isComplete) this.#tokenizer.end();
		const size = this.#places.size;
		if (this.ended) return this.ended;
		return this.#isComplete
			? this.#stop('complete', '', size)
			: this.#stop('broken', 'the file ends inside a value', size);
	}

	take(): ReadRecord[] {
		const records = this.#records;
		this.#records = [];
		return records;
	}

	#onToken({token, value, offset}: Token): void {
		if (this.ended) return;
		if (this.#isComplete) {
			this.#stop('extra', 'more follows after the end of the value', offset);
			return;
		}
		const isCloser = CLOSERS.has(token);
		const isOpener = OPENERS.has(token);
		if (isCloser) this.#depth -= 1;
		else if (!MARKS.has(token) && this.#depth === this.#recordDepth) {
			this.#start = this.#places.of(offset);
			this.#isTooDeep = false;
		}
		if (this.#depth === 0 && isOpener) this.#firstLine = this.#places.of(offset).line;
		if (isOpener && this.#depth === DEPTH_MAX) {
			// What lies too deep is replaced by one null, and its record refused when it is complete.
			this.#isTooDeep = true;
			this.#forward({token: TokenType.NULL, value: null, offset});
		} else if (isCloser ? this.#depth < DEPTH_MAX : this.#depth <= DEPTH_MAX) this.#forward({token, value, offset});
		if (isOpener) this.#depth += 1;
		if (this.#depth === 0 && !this.ended) {
			this.#isComplete = true;
			this.#lastLine = this.#places.of(offset).line;
		}
	}

	#forward({token, value, offset}: Token): void {
		this.#parser.write({token, value} as Parameters<TokenParser['write']>[0]);
		if (this.#isRefused) this.#stop('broken', `unexpected ${nameOf(token, value)}`, offset);
	}

	#emit(value: unknown): void {
		if (this.#isTooDeep) {
			const detail = `nested deeper than ${DEPTH_MAX} levels`;
			this.#records.push({ok: false, problem: 'broken_line', detail, position: this.#start});
		} else {
			this.#records.push({ok: true, value, ordinal: this.#ordinal, position: this.#start});
		}
		this.#ordinal += 1;
	}

	#onTokenizerError(error: Error): void {
		if (this.ended) return;
		const absolute = /absolute position "(\d+)"/.exec(error.message)?.[1];
		const offset = absolute === undefined ? this.#places.size : Number(absolute);
		if (this.#isComplete) this.#stop('extra', 'more follows after the end of the value', offset);
		else if (absolute === undefined) this.#stop('broken', 'the file ends inside a value', offset);
		else this.#stop('broken', 'unexpected character', offset);
	}

	#stop(state: StreamEnd['state'], detail: string, offset: number): StreamEnd {
		const rest = this.#chunk.subarray(Math.max(0, offset - this.#places.base));
		const oneLine = this.#firstLine === this.#lastLine;
		this.ended = {state, detail, position: this.#places.of(offset), rest, ordinal: this.#ordinal, oneLine};
		return this.ended;
	}
}

const nameOf = (token: TokenType, value: unknown): string =>
	token === TokenType.STRING ? 'string' : token === TokenType.NUMBER ? 'number' : `"${String(value)}"`;

/** Line and column of byte offsets, which must not go back before the line that holds the start of the chunk. */
class Places {
	/** Offset of the chunk's first byte. */
	base = 0;
	#chunk: Buffer = Buffer.alloc(0);
	#line = 1;
	#lineStart = 0;

	/** Bytes seen so far. */
	get size(): number {
		return this.base + this.#chunk.length;
	}

	enter(chunk: Buffer): void {
		this.base = this.size;
		this.#chunk = chunk;
	}

	/** Moves on to the last line of the chunk. */
	leave(): void {
		this.of(this.size);
	}

	/** Offsets are asked for in order, so each line feed is passed once. A token that began in an earlier chunk began
	 * on the current line, since no JSON token holds a line feed. */
	of(offset: number): Position {
		for (;;) {
			const from = Math.max(0, this.#lineStart - this.base);
			const feed = this.#chunk.indexOf(10, from);
			if (feed < 0 || this.base + feed >= offset) break;
			this.#line += 1;
			this.#lineStart = this.base + feed + 1;
		}
		return {line: this.#line, column: offset - this.#lineStart + 1};
	}
}
