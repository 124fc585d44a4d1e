import {existsSync} from 'node:fs';
import {Zone} from '../core/time.js';
import {HindcastError} from '../errors.js';
import type {Clock} from '../ports/clock.js';
import type {AggregateStore, ExtractStore, ImportStore, MemoryStore, ReplayStore, RunStore} from '../ports/store.js';
import {Database, type OpenOptions} from './duckdb.js';
import {migrate, readZone} from './migrate.js';
import {aggregateStore} from './queries/aggregate.js';
import {extractStore} from './queries/extract.js';
import {importStore} from './queries/import.js';
import {memoryStore} from './queries/memory.js';
import {replayStore} from './queries/replay.js';
import {runStore} from './queries/runs.js';

/** The zone of new files: the seed's (北京时间). */
export const DEFAULT_ZONE = 'Asia/Shanghai';

/** An open memory file with every store port. */
export interface Store extends ImportStore, ExtractStore, AggregateStore, MemoryStore, ReplayStore, RunStore {
	readonly db: Database;
	/** The file's memory zone. */
	readonly zone: Zone;
	close(): void;
}

export interface StoreOptions extends OpenOptions {
	/** Make the file when it is not there. */
	readonly create?: boolean;
	/** Memory zone: for a new file; for an existing one it must be the same. */
	readonly zone?: string | undefined;
	readonly clock: Clock;
}

/**
 * Opens a memory file and brings its schema up to date.
 * @throws DB_MISSING, DB_LOCKED, DB_INVALID, DB_NEWER, ZONE_FIXED
 */
export async function openStore(path: string, options: StoreOptions): Promise<Store> {
	if (!options.create && path !== ':memory:' && !existsSync(path)) {
		throw new HindcastError('DB_MISSING', {message: `There is no file ${path}.`, details: {path}});
	}
	const wanted = options.zone === undefined ? undefined : new Zone(options.zone).name;
	const db = await Database.open(path, options);
	try {
		if (!options.readOnly) await migrate(db, wanted ?? DEFAULT_ZONE, options.clock);
		const zone = new Zone(await readZone(db));
		if (wanted !== undefined && wanted !== zone.name) {
			throw new HindcastError('ZONE_FIXED', {message: `The memory zone of ${path} is ${zone.name}, not ${wanted}.`});
		}
		return {
			db,
			zone,
			close: () => db.close(),
			...importStore(db),
			...extractStore(db),
			...aggregateStore(db),
			...memoryStore(db),
			...replayStore(db),
			...runStore(db, options.clock),
		};
	} catch (error) {
		db.close();
		throw error;
	}
}
