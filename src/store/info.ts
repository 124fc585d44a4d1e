import type {Database} from './duckdb.js';
import {TABLES} from './tables.js';

/** Rows of each public table. */
export async function tableCounts(db: Database): Promise<Record<string, number>> {
	const counts: Record<string, number> = {};
	for (const name of Object.keys(TABLES)) {
		counts[name] = (await db.one<{rows: number}>(`SELECT count(*) AS rows FROM ${name}`))?.rows ?? 0;
	}
	return counts;
}
