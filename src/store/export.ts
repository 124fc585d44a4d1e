import {canonicalJson} from '../core/json.js';
import {formatInstant} from '../core/time.js';
import {HindcastError} from '../errors.js';
import type {Database, Row} from './duckdb.js';
import {TABLE_ALIASES, TABLES, VOLATILE_MARK} from './tables.js';

interface Column {
	readonly column_name: string;
	readonly data_type: string;
	readonly comment: string | null;
}

/** Columns of a public table in their order. */
export const columnsOf = (db: Database, table: string): Promise<Column[]> =>
	db.all<Column & Row>(
		'SELECT column_name, data_type, comment FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index',
		[table],
	);

/**
 * A table as NDJSON lines, sorted by id, keys in order, instants as ISO text, vectors as base64.
 * @param allColumns also run ids and wall-clock columns, which differ between two equal runs
 * @throws TABLE_UNKNOWN
 */
export async function* exportTable(db: Database, name: string, allColumns: boolean): AsyncGenerator<string> {
	const table = TABLE_ALIASES[name] ?? name;
	const order = TABLES[table];
	if (!order) {
		throw new HindcastError('TABLE_UNKNOWN', {
			message: `There is no table "${name}". Tables: ${Object.keys(TABLES).join(', ')}.`,
		});
	}
	const columns = (await columnsOf(db, table)).filter(column => allColumns || !isVolatile(column));
	const list = columns.map(({column_name}) => `"${column_name}"`).join(', ');
	const by = order.map(column => `"${column}"`).join(', ');
	for await (const row of db.stream(`SELECT ${list} FROM ${table} ORDER BY ${by}`)) yield toLine(columns, row);
}

export const isVolatile = (column: Pick<Column, 'comment'>): boolean =>
	column.comment?.startsWith(VOLATILE_MARK) ?? false;

function toLine(columns: readonly Column[], row: Row): string {
	const members = columns.map(({column_name, data_type}) => [column_name, toJson(data_type, row[column_name])]);
	return canonicalJson(Object.fromEntries(members));
}

function toJson(type: string, value: unknown): unknown {
	if (value === null) return null;
	if (type === 'TIMESTAMP WITH TIME ZONE') return formatInstant(value as number);
	if (type === 'BLOB') return Buffer.from(value as Uint8Array).toString('base64');
	return value;
}
