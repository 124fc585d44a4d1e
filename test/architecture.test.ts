import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import ts from 'typescript';
import {expect, test} from 'vitest';
import {root} from './helpers/cli.js';

/** TypeScript files below some folders, as paths from the root. */
function filesIn(...folders: string[]): string[] {
	return folders
		.flatMap(folder =>
			readdirSync(join(root, folder), {recursive: true, withFileTypes: true})
				.filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
				.map(entry => relative(root, join(entry.parentPath, entry.name))),
		)
		.sort();
}

const sources = filesIn('src', 'commands');

/** Own modules that a file imports, statically or not, as paths from the root. */
function importsOf(file: string): string[] {
	const text = readFileSync(join(root, file), 'utf8');
	const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
	return [...found].map(([, path]) => join(dirname(file), path!).replace(/\.js$/, '.ts'));
}

/** The room of a file: `commands`, or the folder below src. */
const roomOf = (file: string): string => (file.startsWith('commands/') ? 'commands' : (file.split('/')[1] ?? ''));

/** docs/architecture.md, "may import". `stages/constants` is the one thing of the stages that arms and models may read. */
const MAY: Readonly<Record<string, readonly string[]>> = {
	commands: ['cli'],
	cli: [
		'stages',
		'models',
		'embedders',
		'importers',
		'arms',
		'store',
		'report',
		'docs',
		'bench',
		'ports',
		'domain',
		'text',
		'core',
	],
	bench: ['stages', 'models', 'arms', 'search', 'store', 'ports', 'domain', 'text', 'core'],
	stages: ['models/tasks', 'ports', 'domain', 'text', 'search', 'arms', 'importers', 'core'],
	models: ['domain', 'text', 'core', 'stages/constants'],
	embedders: ['ports', 'text', 'core'],
	importers: ['domain', 'text', 'core'],
	search: [],
	arms: ['stages/constants', 'core'],
	store: ['ports', 'domain', 'text', 'core'],
	report: ['domain', 'text', 'core'],
	docs: ['arms', 'store', 'core'],
	ports: ['domain', 'core'],
	domain: ['text', 'core'],
	text: ['core'],
	core: [],
	'errors.ts': [],
};

function isAllowed(from: string, to: string): boolean {
	const [here, there] = [roomOf(from), roomOf(to)];
	if (here === there || there === 'errors.ts') return true;
	const allowed = MAY[here] ?? [];
	if (there === 'importers' && here === 'stages') return from.startsWith('src/stages/import/');
	if (there === 'models' && allowed.includes('models/tasks')) return to === 'src/models/tasks.ts';
	if (there === 'stages' && allowed.includes('stages/constants')) return to.endsWith('/constants.ts');
	return allowed.includes(there);
}

test('imports run only in the direction that docs/architecture.md gives', () => {
	const wrong = sources.flatMap(file =>
		importsOf(file)
			.filter(to => !isAllowed(file, to))
			.map(to => `${file} -> ${to}`),
	);
	expect(wrong).toEqual([]);
});

test('every room of the code is in the table of docs/architecture.md', () => {
	const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
	const rooms = [...new Set(sources.map(roomOf))].filter(room => !room.endsWith('.ts'));
	expect(rooms.filter(room => !page.includes(room === 'commands' ? '`commands/`' : `\`src/${room}/`))).toEqual([]);
});

interface Ban {
	readonly in: RegExp;
	readonly pattern: RegExp;
	readonly use: string;
}

const BANS: readonly Ban[] = [
	{in: /^src\/(?!store\/duckdb)/, pattern: /from '@duckdb\/node-api'/, use: 'src/store/duckdb.ts'},
	{
		in: /^src\/(stages|models|search|domain|text|arms)\//,
		pattern: /Date\.now\(|new Date\(\)|Math\.random\(|performance\.now/,
		use: 'the clock or random port',
	},
	{
		in: /^src\/(stages|models|search|domain)\//,
		pattern: /node:fs|process\.(env|cwd|argv)|console\./,
		use: 'a port, or the returned value',
	},
	{in: /^src\//, pattern: /toLocale|Intl\.(?!Segmenter)|localeCompare/, use: 'what does not depend on the locale'},
	{in: /^commands\//, pattern: /^import (?!.*(@oclif\/core|src\/cli\/command\.js))/m, use: 'a lazy import inside run'},
];

test('no file does what its room must not do', () => {
	const found = sources.flatMap(file => {
		const text = readFileSync(join(root, file), 'utf8');
		return BANS.filter(ban => ban.in.test(file) && ban.pattern.test(text)).map(ban => `${file}: use ${ban.use}`);
	});
	expect(found).toEqual([]);
});

test('files of the code stay under 300 lines, tests under 500', () => {
	const long = [...sources, ...filesIn('test')].flatMap(file => {
		const lines = readFileSync(join(root, file), 'utf8').split('\n').length;
		return lines > (file.startsWith('test/') ? 500 : 300) ? [`${file}: ${lines}`] : [];
	});
	expect(long).toEqual([]);
});

test('functions stay under 70 lines', () => {
	const long = sources.flatMap(file => {
		const tree = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
		const found: string[] = [];
		const visit = (node: ts.Node): void => {
			if (ts.isFunctionLike(node) && 'body' in node && node.body) {
				const [from, to] = [node.getStart(), node.getEnd()].map(at => tree.getLineAndCharacterOfPosition(at).line);
				if (to! - from! >= 70) found.push(`${file}:${from! + 1}`);
			}
			ts.forEachChild(node, visit);
		};
		visit(tree);
		return found;
	});
	expect(long).toEqual([]);
});
