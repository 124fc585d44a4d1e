import type {Database} from '../duckdb.js';

/** Ids as SQL literals. Content ids and hashes hold nothing that would need quoting; the check keeps it so. */
export function idList(ids: readonly string[]): string {
	for (const id of ids) if (!/^[\w:.-]+$/.test(id)) throw new Error(`not an id: ${id}`);
	return ids.length === 0 ? "''" : ids.map(id => `'${id}'`).join(', ');
}

/** Deletes rows by the values of a column, some thousands at a time. */
export async function deleteByIds(db: Database, table: string, column: string, ids: readonly string[]): Promise<void> {
	for (let at = 0; at < ids.length; at += 5000) {
		await db.run(`DELETE FROM ${table} WHERE ${column} IN (${idList(ids.slice(at, at + 5000))})`);
	}
}
