import {packageFile} from '../core/package-root.js';
import type {Embedder} from '../ports/embedder.js';
import {STATIC_PREPARATION_VERSION, segment} from './static-segment.js';
import {readStaticTable, type StaticTable} from './static-table.js';

/** Where the package keeps the table, from its root. */
export const STATIC_TABLE_FILE = 'models/static/static.bin';
/** Hexadecimal digits of the table's sha256 that the fingerprint holds. */
const SHA_DIGITS = 16;

/**
 * The embedder that needs no model: each known word has a vector, distilled from bge-small-zh-v1.5 for Chinese and
 * from all-MiniLM-L6-v2 for Latin script, and a text is the sum of its words. Chinese and Latin have a block of their
 * own in the vector, weighted by their shares of the text, so a pure text meets its own language and a mixed one both.
 * Additions, products, quotients and square roots only, in fixed order: the same bytes on every platform.
 */
export class StaticEmbedder implements Embedder {
	readonly name = 'static';
	readonly fingerprint: string;
	readonly dim: number;
	/** Always 0: a text is read to its end. */
	readonly truncated = 0;
	readonly #table: StaticTable;

	constructor(table: StaticTable) {
		this.#table = table;
		this.dim = 2 * table.dim;
		this.fingerprint = [
			'static',
			`sha256=${table.sha256.slice(0, SHA_DIGITS)}`,
			`prep=${STATIC_PREPARATION_VERSION}`,
			`dim=${this.dim}`,
		].join(';');
	}

	async embed(texts: readonly string[]): Promise<Float32Array[]> {
		return texts.map(text => this.embedOne(text));
	}

	/** One vector of length 1, or the zero vector for a text without any known token. */
	embedOne(text: string): Float32Array {
		const {zh, latin, dim} = this.#table;
		const found = segment(
			text,
			() => zh.vocabulary,
			() => latin.vocabulary,
		);
		const sum = new Float64Array(this.dim);
		for (const row of found.zh) zh.addRow(row, sum, 0);
		for (const row of found.latin) latin.addRow(row, sum, dim);
		// The share of Chinese as models/README.md point 3 has it: a character counts as much as a Latin word.
		const share = found.hanCharacters / Math.max(1, found.hanCharacters + found.latinWords);
		scaleTo(sum.subarray(0, dim), Math.sqrt(share));
		scaleTo(sum.subarray(dim), Math.sqrt(1 - share));
		// Where one block has no known token the other one stands for the whole text.
		scaleTo(sum, 1);
		return Float32Array.from(sum);
	}
}

/** Opens the table that ships with the package, or another one. */
export const openStaticEmbedder = (path: string = packageFile(STATIC_TABLE_FILE)): StaticEmbedder =>
	new StaticEmbedder(readStaticTable(path));

/** Stretches numbers to a length; numbers that are all zero stay so. */
function scaleTo(numbers: Float64Array, length: number): void {
	let squares = 0;
	for (let i = 0; i < numbers.length; i++) squares += numbers[i]! * numbers[i]!;
	if (squares === 0) return;
	const factor = length / Math.sqrt(squares);
	for (let i = 0; i < numbers.length; i++) numbers[i]! *= factor;
}
