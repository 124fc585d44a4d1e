import {readFileSync} from 'node:fs';
import {parse} from 'yaml';
import {packageFile} from '../core/package-root.js';

/** Reads a data file of `src/lexicons`: word lists and patterns by name. */
export function readLexicon(name: string): Readonly<Record<string, readonly string[]>> {
	const value = parse(readFileSync(packageFile(`src/lexicons/${name}.yaml`), 'utf8')) as Record<string, unknown>;
	for (const [key, list] of Object.entries(value)) {
		if (!Array.isArray(list) || !list.every(item => typeof item === 'string')) {
			throw new Error(`src/lexicons/${name}.yaml: ${key} must be a list of texts`);
		}
	}
	return value as Record<string, string[]>;
}
