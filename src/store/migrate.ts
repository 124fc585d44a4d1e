import {copyFileSync, existsSync, readdirSync, readFileSync} from 'node:fs';
import {packageFile, packageVersion} from '../core/package-root.js';
import {formatInstant} from '../core/time.js';
import {HindcastError} from '../errors.js';
import type {Clock} from '../ports/clock.js';
import type {Database} from './duckdb.js';

interface Migration {
	readonly version: number;
	readonly name: string;
	readonly sql: string;
}

/** Forward migrations in order; a released one is never edited. */
export function readMigrations(): Migration[] {
	const folder = packageFile('src/store/migrations');
	return readdirSync(folder)
		.filter(name => name.endsWith('.sql'))
		.sort()
		.map(name => ({version: Number(name.slice(0, 3)), name, sql: readFileSync(`${folder}/${name}`, 'utf8')}));
}

/** Schema version of a file: 0 when it has no table of ours. */
async function versionOf(db: Database): Promise<number> {
	const tables = await db.all<{table_name: string}>('SELECT table_name FROM duckdb_tables() ORDER BY table_name');
	if (tables.length === 0) return 0;
	if (!tables.some(({table_name}) => table_name === 'meta')) {
		throw new HindcastError('DB_INVALID', {message: `${db.path} is a DuckDB file, but hindcast did not make it.`});
	}
	const row = await db.one<{value: string}>("SELECT value FROM meta WHERE key = 'schema_version'");
	return Number(row?.value ?? 0);
}

/**
 * Brings a file to the newest schema, one transaction a migration. A file that holds data is copied beside itself
 * (`FILE.before-NNN`) first.
 * @throws DB_NEWER when a newer hindcast wrote the file
 */
export async function migrate(db: Database, zone: string, clock: Clock): Promise<void> {
	const migrations = readMigrations();
	const newest = migrations.at(-1)!.version;
	const version = await versionOf(db);
	if (version > newest) {
		throw new HindcastError('DB_NEWER', {
			message: `${db.path} has schema ${version}; this hindcast ${packageVersion()} knows ${newest}.`,
		});
	}
	if (version > 0 && version < newest) await backUp(db, newest);
	for (const migration of migrations.filter(step => step.version > version)) {
		await db.transaction(async () => {
			await db.script(migration.sql);
			if (migration.version === 1) {
				await setMeta(db, 'created_at', formatInstant(clock.now()));
				await setMeta(db, 'memory_zone', zone);
			}
			await setMeta(db, 'schema_version', String(migration.version));
			await setMeta(db, 'hindcast_version', packageVersion());
		});
	}
}

async function setMeta(db: Database, key: string, value: string): Promise<void> {
	await db.run('INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value', [key, value]);
}

async function backUp(db: Database, newest: number): Promise<void> {
	if (db.path === ':memory:') return;
	await db.run('CHECKPOINT');
	const copy = `${db.path}.before-${String(newest).padStart(3, '0')}`;
	if (!existsSync(copy)) copyFileSync(db.path, copy);
}

/** The file's memory zone. */
export async function readZone(db: Database): Promise<string> {
	const row = await db.one<{value: string}>("SELECT value FROM meta WHERE key = 'memory_zone'");
	if (!row) throw new HindcastError('DB_INVALID', {message: `${db.path} has no memory zone.`});
	return row.value;
}
