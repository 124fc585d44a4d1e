import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {root} from './cli.js';

/** The folder of a bench set, or null (with a message) where the sets are not there: they are not part of the repository. */
export function benchSet(name: string): string | null {
	return found(join(process.env.HINDCAST_BENCH ?? join(root, '../shared/bench'), name));
}

/** The LoCoMo development file, or null. */
export const locomoFile = (): string | null => found(join(root, '../shared/data/locomo/locomo-dev.json'));

function found(path: string): string | null {
	if (existsSync(path)) return path;
	process.stderr.write(`skipped: ${path} is not there (set HINDCAST_BENCH)\n`);
	return null;
}
