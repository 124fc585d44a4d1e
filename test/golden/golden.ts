import {readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {expect} from 'vitest';

/**
 * Compares what a folder of `test/golden` expects with what its input gives.
 * With HINDCAST_GOLDEN=write the expectation is written instead: read the difference before you keep it.
 */
export async function golden<T>(name: string, compute: (input: T) => unknown): Promise<void> {
	const file = (part: string) => fileURLToPath(new URL(`./${name}/${part}.json`, import.meta.url));
	const actual = JSON.parse(JSON.stringify(await compute(JSON.parse(readFileSync(file('input'), 'utf8')))));
	if (process.env.HINDCAST_GOLDEN === 'write') writeFileSync(file('expected'), `${JSON.stringify(actual, null, '\t')}\n`);
	expect(actual).toEqual(JSON.parse(readFileSync(file('expected'), 'utf8')));
}
