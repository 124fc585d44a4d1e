import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

/** The folder of hindcast's package.json, whether the code runs from sources, from dist or installed. */
export const packageRoot: string = findRoot(dirname(fileURLToPath(import.meta.url)));

function findRoot(folder: string): string {
	for (let at = folder; ; at = dirname(at)) {
		if (existsSync(join(at, 'package.json'))) return at;
		if (dirname(at) === at) throw new Error('package.json of hindcast not found');
	}
}

/** A file that the package ships. */
export const packageFile = (path: string): string => join(packageRoot, path);

/** Version of hindcast. */
export const packageVersion = (): string =>
	(JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {version: string}).version;
