import type {HindcastError} from '../../errors.js';
import {namedFile} from '../../importers/files.js';
import type {ImportFile} from '../../importers/port.js';

/**
 * Looks at every file that is named by itself before anything is written, so that a wrong one among several leaves the
 * memory as it was. With one path the import itself finds out as early.
 * @param problemOf why a file cannot be imported, if so
 */
export async function checkNamed(
	paths: readonly string[],
	problemOf: (file: ImportFile) => Promise<HindcastError | undefined>,
): Promise<void> {
	if (paths.length < 2) return;
	for (const path of paths) {
		const file = await namedFile(path);
		const problem = file && (await problemOf(file));
		if (problem) throw problem;
	}
}
