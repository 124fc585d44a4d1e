/** Start and factor of the FNV-1a hash, here over UTF-16 units. */
const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;
const NEWLINE = 10;

/** MiniLM's mark of a piece that goes on a word. */
const PIECE_MARK = '##';
const PIECE_HASH = hashOn(HASH_START, PIECE_MARK, 0, PIECE_MARK.length);

/**
 * The words of one table and their row numbers. A hash table in typed arrays over one string: building a Map of
 * 50 000 strings takes several times as long, and each command that searches would wait for it.
 */
export class Vocabulary {
	/** Length of the longest word, in UTF-16 units. */
	readonly longest: number;
	readonly #text: string;
	/** Where each word begins in the text; the last entry is where a further one would. */
	readonly #starts: Int32Array;
	/** Row + 1 by hash, 0 where free; at most half full. */
	readonly #slots: Int32Array;

	/** @param text the words, one a line, in the order of the rows */
	constructor(text: string) {
		this.#text = text;
		const starts = [0];
		for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === NEWLINE) starts.push(at + 1);
		if (text !== '') starts.push(text.length + 1);
		this.#starts = Int32Array.from(starts);
		const count = starts.length - 1;
		let size = 2;
		while (size < 2 * count) size *= 2;
		this.#slots = new Int32Array(size);
		let longest = 1;
		for (let row = 0; row < count; row++) {
			const from = starts[row]!;
			const to = starts[row + 1]! - 1;
			longest = Math.max(longest, to - from);
			let slot = this.#slotOf(hashOn(HASH_START, text, from, to));
			while (this.#slots[slot] !== 0) slot = (slot + 1) & (size - 1);
			this.#slots[slot] = row + 1;
		}
		this.longest = longest;
	}

	/** Row of the word text[from, to), or −1. */
	word(text: string, from: number, to: number): number {
		return this.#find(hashOn(HASH_START, text, from, to), '', text, from, to);
	}

	/** Row of the piece text[from, to) that goes on a word, or −1. */
	piece(text: string, from: number, to: number): number {
		return this.#find(hashOn(PIECE_HASH, text, from, to), PIECE_MARK, text, from, to);
	}

	#slotOf(hash: number): number {
		return (hash ^ (hash >>> 15)) & (this.#slots.length - 1);
	}

	#find(hash: number, mark: string, text: string, from: number, to: number): number {
		for (let slot = this.#slotOf(hash); ; slot = (slot + 1) & (this.#slots.length - 1)) {
			const row = this.#slots[slot]! - 1;
			if (row < 0 || this.#matches(row, mark, text, from, to)) return row;
		}
	}

	#matches(row: number, mark: string, text: string, from: number, to: number): boolean {
		const start = this.#starts[row]!;
		const length = this.#starts[row + 1]! - 1 - start;
		if (length !== mark.length + to - from) return false;
		if (!this.#text.startsWith(mark, start)) return false;
		for (let i = mark.length; i < length; i++) {
			if (this.#text.charCodeAt(start + i) !== text.charCodeAt(from + i - mark.length)) return false;
		}
		return true;
	}
}

function hashOn(hash: number, text: string, from: number, to: number): number {
	let value = hash;
	for (let i = from; i < to; i++) value = Math.imul(value ^ text.charCodeAt(i), HASH_FACTOR);
	return value;
}
