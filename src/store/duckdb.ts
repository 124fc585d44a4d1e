import {existsSync} from 'node:fs';
import {chmod} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {
	type DuckDBAppender,
	DuckDBBlobValue,
	type DuckDBConnection,
	DuckDBInstance,
	DuckDBTimestampTZValue,
	type DuckDBValue,
} from '@duckdb/node-api';
import {HindcastError} from '../errors.js';

// The only module that imports the driver: a second read-write instance of one file in one process loses data.

/** A value as rows hold it: instants are microseconds, JSON columns any JSON value, vectors bytes. */
export type Value = unknown;
export type Row = Record<string, Value>;

/** A parameter of a statement. */
export type Parameter = string | number | boolean | null | {readonly instant: number | null};

/** Column types that the schema uses. */
type ColumnType =
	| 'VARCHAR'
	| 'JSON'
	| 'INTEGER'
	| 'BIGINT'
	| 'DOUBLE'
	| 'BOOLEAN'
	| 'TIMESTAMP WITH TIME ZONE'
	| 'BLOB';

export interface OpenOptions {
	/** Several readers may share a file, but not with a writer. */
	readonly readOnly?: boolean;
	/** DuckDB size string. */
	readonly memoryLimit?: string;
	readonly threads?: number;
}

/** One open DuckDB file and its connection. Statements run one after the other. */
export class Database {
	readonly path: string;
	readonly #instance: DuckDBInstance;
	readonly #connection: DuckDBConnection;
	readonly #columns = new Map<string, [string, ColumnType][]>();
	#depth = 0;

	private constructor(path: string, instance: DuckDBInstance, connection: DuckDBConnection) {
		this.path = path;
		this.#instance = instance;
		this.#connection = connection;
	}

	/**
	 * Opens or makes a file (mode 0600), with extension downloads off and UTC as its zone.
	 * @param path a file, or `:memory:`
	 * @throws DB_LOCKED when another process holds it, DB_INVALID when it is no DuckDB file
	 */
	static async open(path: string, options: OpenOptions = {}): Promise<Database> {
		const fresh = path !== ':memory:' && !existsSync(path);
		try {
			const instance = await DuckDBInstance.create(path, {
				access_mode: options.readOnly ? 'READ_ONLY' : 'READ_WRITE',
				autoinstall_known_extensions: 'false',
				autoload_known_extensions: 'false',
				memory_limit: options.memoryLimit ?? '2GB',
				threads: String(options.threads ?? 2),
				...(path === ':memory:' ? {} : {temp_directory: join(dirname(path), '.hindcast-tmp')}),
			});
			const connection = await instance.connect();
			await connection.run("SET TimeZone = 'UTC'");
			if (fresh) await chmod(path, 0o600);
			return new Database(path, instance, connection);
		} catch (error) {
			throw openError(path, error);
		}
	}

	/** Runs a statement. */
	async run(sql: string, params: readonly Parameter[] = []): Promise<void> {
		try {
			await this.#connection.run(sql, params.map(bind));
		} catch (error) {
			throw wrapError(error);
		}
	}

	/** Runs several statements that take no parameters. */
	async script(sql: string): Promise<void> {
		const statements = await this.#connection.extractStatements(sql);
		for (let i = 0; i < statements.count; i++) await (await statements.prepare(i)).run();
	}

	/** All rows of a query. The query should have a total order. */
	async all<T extends Row = Row>(sql: string, params: readonly Parameter[] = []): Promise<T[]> {
		try {
			const reader = await this.#connection.runAndReadAll(sql, params.map(bind));
			const names = reader.deduplicatedColumnNames();
			const types = reader.columnTypes().map(type => type.alias ?? String(type));
			return reader.getRows().map(row => toRow(names, types, row)) as T[];
		} catch (error) {
			throw wrapError(error);
		}
	}

	/** Rows of a query, a chunk at a time, so that memory stays bounded. */
	async *stream<T extends Row = Row>(sql: string, params: readonly Parameter[] = []): AsyncGenerator<T> {
		const result = await this.#connection.stream(sql, params.map(bind));
		const names = result.deduplicatedColumnNames();
		const types = result.columnTypes().map(type => type.alias ?? String(type));
		for await (const rows of result.yieldRows()) for (const row of rows) yield toRow(names, types, row) as T;
	}

	/** The first row, or null. */
	async one<T extends Row = Row>(sql: string, params: readonly Parameter[] = []): Promise<T | null> {
		return (await this.all<T>(sql, params))[0] ?? null;
	}

	/**
	 * Runs a unit of work in one transaction; nested calls join the outer one. On any error everything of the unit is
	 * rolled back and the error rethrown (a COMMIT after a conflict would not throw and would keep nothing).
	 */
	async transaction<T>(work: () => Promise<T>): Promise<T> {
		if (this.#depth > 0) return work();
		this.#depth++;
		try {
			await this.#connection.run('BEGIN');
			const result = await work();
			await this.#connection.run('COMMIT');
			return result;
		} catch (error) {
			await this.#connection.run('ROLLBACK').catch(() => {});
			throw wrapError(error);
		} finally {
			this.#depth--;
		}
	}

	/** Adds rows in bulk. Members that a table has no column for are an error; missing ones become null. */
	async insert(table: string, rows: readonly object[]): Promise<void> {
		if (rows.length === 0) return;
		const columns = await this.#columnsOf(table);
		const known = new Set(columns.map(([name]) => name));
		const appender = await this.#connection.createAppender(table);
		try {
			for (const row of rows as readonly Row[]) {
				for (const name of Object.keys(row)) {
					if (!known.has(name)) throw new Error(`${table} has no column ${name}`);
				}
				for (const [name, type] of columns) append(appender, type, row[name]);
				appender.endRow();
			}
			appender.flushSync();
			appender.closeSync();
		} catch (error) {
			throw wrapError(error);
		}
	}

	/** Releases the lock at once. */
	close(): void {
		this.#connection.closeSync();
		this.#instance.closeSync();
	}

	async #columnsOf(table: string): Promise<[string, ColumnType][]> {
		const known = this.#columns.get(table);
		if (known) return known;
		const rows = await this.all<{column_name: string; data_type: ColumnType}>(
			'SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index',
			[table],
		);
		const columns = rows.map(row => [row.column_name, row.data_type] as [string, ColumnType]);
		this.#columns.set(table, columns);
		return columns;
	}
}

function bind(value: Parameter): DuckDBValue {
	if (value === null || typeof value !== 'object') return value;
	return value.instant === null ? null : new DuckDBTimestampTZValue(BigInt(value.instant));
}

/** How a value is written to a column of a type. */
const WRITERS: Readonly<Record<ColumnType, (appender: DuckDBAppender, value: never) => void>> = {
	VARCHAR: (appender, value: string) => appender.appendVarchar(value),
	JSON: (appender, value: unknown) => appender.appendVarchar(JSON.stringify(value)),
	INTEGER: (appender, value: number) => appender.appendInteger(value),
	BIGINT: (appender, value: number) => appender.appendBigInt(BigInt(value)),
	DOUBLE: (appender, value: number) => appender.appendDouble(value),
	BOOLEAN: (appender, value: boolean) => appender.appendBoolean(value),
	'TIMESTAMP WITH TIME ZONE': (appender, value: number) =>
		appender.appendTimestampTZ(new DuckDBTimestampTZValue(BigInt(value))),
	BLOB: (appender, value: Uint8Array) => appender.appendBlob(value),
};

function append(appender: DuckDBAppender, type: ColumnType, value: Value): void {
	if (value === null || value === undefined) appender.appendNull();
	else WRITERS[type](appender, value as never);
}

function toRow(names: readonly string[], types: readonly string[], values: readonly DuckDBValue[]): Row {
	const row: Row = {};
	for (let i = 0; i < names.length; i++) row[names[i]!] = fromDuckDB(types[i]!, values[i]!);
	return row;
}

function fromDuckDB(type: string, value: DuckDBValue): Value {
	if (value === null) return null;
	if (type === 'JSON') return JSON.parse(value as string);
	if (typeof value === 'bigint') return Number(value);
	if (value instanceof DuckDBTimestampTZValue) return Number(value.micros);
	if (value instanceof DuckDBBlobValue) return value.bytes;
	return value;
}

function wrapError(error: unknown): Error {
	if (error instanceof HindcastError) return error;
	const message = error instanceof Error ? error.message : String(error);
	return new HindcastError('DB_FAILED', {message: `The store refused a statement: ${message}`});
}

function openError(path: string, error: unknown): Error {
	const message = error instanceof Error ? error.message : String(error);
	if (/Could not set lock on file/.test(message)) {
		const pid = Number(/\(PID (\d+)\)/.exec(message)?.[1]) || null;
		return new HindcastError('DB_LOCKED', {
			message: `${path} is in use by another process${pid ? ` (pid ${pid})` : ''}.`,
			details: {path, pid},
		});
	}
	if (/not a valid DuckDB database|Serialization Error|Invalid Input Error/i.test(message)) {
		return new HindcastError('DB_INVALID', {message: `${path} is not a hindcast database file.`, details: {path}});
	}
	return new HindcastError('DB_FAILED', {message: `${path} cannot be opened: ${message}`});
}
