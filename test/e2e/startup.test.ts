import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {root, tempFolder} from '../helpers/cli.js';

/** Packages that a command line loads, by a hook that notes every resolved module. */
function packagesOf(args: readonly string[]): string[] {
	using folder = tempFolder();
	const log = join(folder.path, 'log.txt');
	writeFileSync(log, '');
	writeFileSync(
		join(folder.path, 'hook.mjs'),
		`import {appendFileSync} from 'node:fs';
export async function resolve(specifier, context, next) {
	const found = await next(specifier, context);
	appendFileSync(${JSON.stringify(log)}, found.url + '\\n');
	return found;
}`,
	);
	writeFileSync(
		join(folder.path, 'register.mjs'),
		`import {register} from 'node:module'; register(${JSON.stringify(`file://${join(folder.path, 'hook.mjs')}`)});`,
	);
	const run = spawnSync(
		process.execPath,
		['--import', join(folder.path, 'register.mjs'), join(root, 'bin/run.js'), ...args],
		{
			cwd: folder.path,
			encoding: 'utf8',
		},
	);
	expect(run.status).toBe(0);
	const urls = readFileSync(log, 'utf8').split('\n');
	const packages = urls.flatMap(url => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
	const own = urls
		.filter(url => url.startsWith('file://') && url.includes('/dist/'))
		.map(url => url.split('/dist/')[1]!);
	return [...new Set([...packages, ...own])].sort();
}

/** Everything that hindcast depends on, oclif apart. */
const HEAVY: readonly string[] = Object.keys(
	JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies as Record<string, string>,
).filter(name => name !== '@oclif/core');

test.each([['--help'], ['--version'], ['replay', '--help']])(
	'%s %s loads oclif, none of our other packages and none of our code',
	(...args) => {
		const loaded = packagesOf(args.filter(arg => arg !== undefined));
		expect(loaded).toContain('@oclif/core');
		expect(loaded.filter(name => HEAVY.some(heavy => name === heavy || name.startsWith(`${heavy}-`)))).toEqual([]);
		expect(loaded.filter(name => name.startsWith('src/') || name.startsWith('commands/'))).toEqual([]);
	},
);
