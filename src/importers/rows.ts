import {readRecords} from './json-records.js';
import type {ImportFile} from './port.js';

/**
 * Groups rows by key without holding more than the groups that are open: a first reading counts the rows of each key,
 * so that a group leaves as soon as its last row is there. Rows of one key need not be adjacent.
 */
export class RowGroups<T> {
	readonly #left: Map<string, number> | null;
	readonly #groups = new Map<string, T[]>();

	/** @param left how many rows each key has; null when that is not known, and groups leave at the end */
	constructor(left: Map<string, number> | null) {
		this.#left = left;
	}

	/** @param keyOf the key of a record, null for records that are no rows */
	static async count<T>(file: ImportFile, keyOf: (value: unknown) => string | null): Promise<RowGroups<T>> {
		const left = new Map<string, number>();
		for await (const record of readRecords(file)) {
			const key = record.ok ? keyOf(record.value) : null;
			if (key !== null) left.set(key, (left.get(key) ?? 0) + 1);
		}
		return new RowGroups<T>(left);
	}

	/** Adds a row; returns the whole group, in the order of the file, when this was its last. */
	add(key: string, row: T): T[] | null {
		const group = this.#groups.get(key) ?? [];
		group.push(row);
		this.#groups.set(key, group);
		if (!this.#left) return null;
		const left = (this.#left.get(key) ?? 1) - 1;
		this.#left.set(key, left);
		if (left > 0) return null;
		this.#groups.delete(key);
		return group;
	}

	/** The groups that have not left, with their keys. */
	rest(): IterableIterator<[string, T[]]> {
		return this.#groups.entries();
	}
}
