import {isUtf8} from 'node:buffer';

/** What `cleanBytes` mended: bytes that are no UTF-8 became U+FFFD, NUL bytes went away. */
export type Repair = 'invalid_utf8' | 'nul_removed';

/** Told about each repair: how many replaced or removed, and the line (from 1) at which the mended chunk begins. */
export type OnRepair = (kind: Repair, count: number, line: number) => void;

/** Chunks are cut to this, so that one write to a parser never yields more than a few records. */
const CHUNK_BYTES = 65_536;
const LF = 10;
const REPLACEMENT = '\uFFFD';
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);

/**
 * The content of a text file as valid UTF-8 without BOM and without NUL bytes, in small chunks.
 * UTF-16 with a BOM (as PowerShell writes it) is converted. A valid file passes through without a copy.
 */
export async function* cleanBytes(source: AsyncIterable<Uint8Array>, onRepair?: OnRepair): AsyncGenerator<Buffer> {
	let carry: Buffer = Buffer.alloc(0);
	let line = 1;
	for await (const piece of smallChunks(asUtf8(source))) {
		const joined = carry.length === 0 ? piece : Buffer.concat([carry, piece]);
		const cut = joined.length - incompleteTail(joined);
		// A copy, since the source may use its buffer again.
		carry = Buffer.from(joined.subarray(cut));
		const chunk = mend(joined.subarray(0, cut), line, onRepair);
		line += countLines(chunk);
		if (chunk.length > 0) yield chunk;
	}
	if (carry.length > 0) yield mend(carry, line, onRepair);
}

function mend(bytes: Buffer, line: number, onRepair: OnRepair | undefined): Buffer {
	let result = bytes;
	if (!isUtf8(result)) {
		const text = new TextDecoder('utf-8', {ignoreBOM: true}).decode(result);
		onRepair?.('invalid_utf8', text.split(REPLACEMENT).length - 1 - countOf(result, REPLACEMENT_BYTES), line);
		result = Buffer.from(text);
	}
	if (result.includes(0)) {
		const kept = result.filter(byte => byte !== 0);
		onRepair?.('nul_removed', result.length - kept.length, line);
		result = Buffer.from(kept.buffer, kept.byteOffset, kept.length);
	}
	return result;
}

function countOf(bytes: Buffer, wanted: Buffer): number {
	let count = 0;
	for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + wanted.length)) count += 1;
	return count;
}

function countLines(bytes: Buffer): number {
	let count = 0;
	for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count += 1;
	return count;
}

/** How many bytes at the end begin a character that the next chunk may complete. */
function incompleteTail(bytes: Buffer): number {
	for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
		const byte = bytes[bytes.length - back] ?? 0;
		if (byte < 0x80) return 0;
		if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
	}
	return 0;
}

async function* smallChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
	for await (const chunk of source) {
		const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
		for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
	}
}

/** Takes the BOM off, and turns UTF-16 that has one into UTF-8. */
async function* asUtf8(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	let head: Uint8Array | null = new Uint8Array(0);
	let decoder: InstanceType<typeof TextDecoder> | null = null;
	for await (const chunk of source) {
		let bytes: Uint8Array = chunk;
		if (head) {
			bytes = Buffer.concat([head, chunk]);
			head = bytes;
			if (bytes.length < 3) continue;
			head = null;
			decoder = utf16Decoder(bytes);
			bytes = withoutBom(bytes);
		}
		yield decoder ? Buffer.from(decoder.decode(bytes, {stream: true})) : bytes;
	}
	if (head && head.length > 0) yield head;
	if (decoder) yield Buffer.from(decoder.decode());
}

function utf16Decoder(bytes: Uint8Array): InstanceType<typeof TextDecoder> | null {
	if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le');
	if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be');
	return null;
}

/** The same bytes without a UTF-8 BOM at their start. */
export function withoutBom<T extends Uint8Array>(bytes: T): T {
	const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
	return hasBom ? (bytes.subarray(3) as T) : bytes;
}

/** The beginning of a file as clean text. */
export interface Head {
	readonly text: string;
	/** Whether this is all of the file. */
	readonly whole: boolean;
}

/** Reads at most about `limit` bytes from the start (rounded up to a chunk). */
export async function readHead(source: AsyncIterable<Uint8Array>, limit: number): Promise<Head> {
	const parts: Buffer[] = [];
	let size = 0;
	for await (const chunk of cleanBytes(source)) {
		// The byte past the limit is what tells a cut file from a whole one.
		if (size >= limit) return {text: Buffer.concat(parts).toString('utf8'), whole: false};
		parts.push(Buffer.from(chunk));
		size += chunk.length;
	}
	return {text: Buffer.concat(parts).toString('utf8'), whole: true};
}
