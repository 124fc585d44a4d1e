import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {errorKinds} from '../src/errors.js';
import {root} from './helpers/cli.js';

test('docs/schema.md, docs/cli.md and docs/arms.md are what the code says', () => {
	execFileSync(process.execPath, [join(root, 'scripts/docs.js'), '--check'], {cwd: root, stdio: 'pipe'});
});

test('every column of the live schema has a comment, and every command a summary and an example', () => {
	const schema = readFileSync(join(root, 'docs/schema.md'), 'utf8');
	expect(schema.split('\n').filter(line => /^\| \w+ \| .* \|\s*\|$/.test(line))).toEqual([]);
	const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'));
	for (const command of Object.values<{id: string; summary?: string; examples?: string[]}>(manifest.commands)) {
		expect(command.summary, command.id).toBeTruthy();
		expect(command.examples?.length, command.id).toBeGreaterThan(0);
	}
});

test('links of the pages lead to files of the repository, and nothing points outside it', () => {
	const pages = [
		'README.md',
		'CONTRIBUTING.md',
		...['architecture', 'decisions', 'glossary', 'schema', 'cli', 'arms', 'checks'].map(name => `docs/${name}.md`),
	];
	const broken = pages.flatMap(page => {
		const text = readFileSync(join(root, page), 'utf8');
		const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, path]) => path!);
		return links.filter(path => !existsSync(join(root, dirname(page), path))).map(path => `${page} -> ${path}`);
	});
	expect(broken).toEqual([]);
});

test('every check that can find something is explained', () => {
	const page = readFileSync(join(root, 'docs/checks.md'), 'utf8');
	const code = readFileSync(join(root, 'src/store/queries/check.ts'), 'utf8');
	const kinds = new Set([...code.matchAll(/(?:SELECT|THEN|ELSE) '([a-z_]+)'/g)].map(([, kind]) => kind!));
	expect(kinds.size).toBeGreaterThan(8);
	expect([...kinds].filter(kind => !page.includes(`| ${kind} |`))).toEqual([]);
});

test('every error says what to do next', () => {
	for (const [code, {hint}] of Object.entries(errorKinds)) expect(hint.length, code).toBeGreaterThan(10);
});
