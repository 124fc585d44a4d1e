import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {Vocabulary} from './static-vocabulary.js';

/** First four bytes of a table file. */
const MAGIC = 'HST1';
/** Magic, dim, then rows and bytes of words of both blocks, four bytes each. */
const HEADER_BYTES = 24;
/** A code 0..15 stands for the number (code − 7.5) × the row's scale, so that zero lies between two codes. */
const CODE_MIDDLE = 7.5;

/** The words of one language and their vectors, four bits a number. */
export class StaticBlock {
	readonly #dim: number;
	readonly #words: Uint8Array;
	readonly #scales: Uint8Array;
	readonly #scaleUnit: number;
	readonly #codes: Uint8Array;
	#vocabulary: Vocabulary | undefined;

	/**
	 * @param words UTF-8, one word a line, in the order of the rows
	 * @param scales 16 bits a row, little-endian, in scaleUnits
	 * @param codes two numbers a byte, the even one in the low half
	 */
	constructor(dim: number, words: Uint8Array, scales: Uint8Array, scaleUnit: number, codes: Uint8Array) {
		this.#dim = dim;
		this.#words = words;
		this.#scales = scales;
		this.#scaleUnit = scaleUnit;
		this.#codes = codes;
	}

	/** Built when first asked for: a purely English archive never pays for the Chinese words. */
	get vocabulary(): Vocabulary {
		this.#vocabulary ??= new Vocabulary(new TextDecoder().decode(this.#words));
		return this.#vocabulary;
	}

	/** Adds the row's vector to the dim numbers of sum from `from` on. */
	addRow(row: number, sum: Float64Array, from: number): void {
		const scale = (this.#scales[2 * row]! + 256 * this.#scales[2 * row + 1]!) * this.#scaleUnit;
		const bytes = this.#dim / 2;
		const first = row * bytes;
		for (let i = 0; i < bytes; i++) {
			const pair = this.#codes[first + i]!;
			sum[from + 2 * i]! += ((pair & 15) - CODE_MIDDLE) * scale;
			sum[from + 2 * i + 1]! += ((pair >> 4) - CODE_MIDDLE) * scale;
		}
	}
}

/** Both blocks of a table file. */
export interface StaticTable {
	/** Numbers a row; a text's vector is twice as long. */
	readonly dim: number;
	readonly zh: StaticBlock;
	readonly latin: StaticBlock;
	/** Of the whole file, hexadecimal. */
	readonly sha256: string;
}

/**
 * Reads a table that scripts/distill wrote (layout: models/static/README.md).
 * @throws when the file is missing, or is no whole table of this version
 */
export function readStaticTable(path: string): StaticTable {
	const bytes = readFileSync(path);
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== MAGIC) {
		throw new Error(`not a static embedding table: ${path}`);
	}
	const dim = view.getUint32(4, true);
	let at = HEADER_BYTES;
	const take = (length: number): Uint8Array => {
		if (at + length > bytes.length) throw new Error(`static embedding table is cut short: ${path}`);
		at += length;
		return bytes.subarray(at - length, at);
	};
	const readBlock = (field: number): StaticBlock => {
		const rows = view.getUint32(field, true);
		const words = take(view.getUint32(field + 4, true));
		const unit = take(4);
		const scaleUnit = new DataView(unit.buffer, unit.byteOffset, 4).getFloat32(0, true);
		return new StaticBlock(dim, words, take(2 * rows), scaleUnit, take((rows * dim) / 2));
	};
	const zh = readBlock(8);
	const latin = readBlock(16);
	if (at !== bytes.length) throw new Error(`static embedding table has bytes left over: ${path}`);
	return {dim, zh, latin, sha256: createHash('sha256').update(bytes).digest('hex')};
}
