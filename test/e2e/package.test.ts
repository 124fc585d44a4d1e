import {execFile} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {root, tempFolder} from '../helpers/cli.js';

const run = promisify(execFile);

interface Packed {
	readonly filename: string;
	readonly files: readonly {readonly path: string}[];
}

async function pack(...args: readonly string[]): Promise<Packed> {
	const {stdout} = await run('npm', ['pack', '--json', '--ignore-scripts', ...args], {cwd: root, maxBuffer: 1 << 24});
	return (JSON.parse(stdout) as Packed[])[0]!;
}

test('the package holds what runs, and nothing of the tests', async () => {
	const paths = (await pack('--dry-run')).files.map(({path}) => path);
	for (const path of [
		'bin/run.js',
		'dist/commands/demo.js',
		'dist/src/cli/services/demo.js',
		'oclif.manifest.json',
		'src/arms/hybrid.yaml',
		'src/arms/seed.yaml',
		'src/lexicons/stopwords.yaml',
		'src/store/migrations/001-skeleton.sql',
		'models/static/static.bin',
		'datasets/first-steps/conversations.ndjson',
		'datasets/fernway-chatgpt/gold.jsonl',
		'datasets/xiaoman-claude/gold.jsonl',
		'README.md',
		'README.zh-CN.md',
		'docs/cli.md',
		'LICENSE',
	]) {
		expect(paths).toContain(path);
	}
	expect(paths.filter(path => /^(test|scripts|commands|reports)\/|\.tsx?$|\.duckdb|\.tgz$/.test(path))).toEqual([]);
});

/** What npm says when the registry cannot be reached; anything else is a failure of the package. */
const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED/;

/**
 * Leaves the models' runtime out, as npm does where its download cannot be reached. Not by --omit=optional: DuckDB's
 * own binary is an optional dependency too.
 */
const WITHOUT_MODELS = {overrides: {'@huggingface/transformers': 'npm:empty-npm-package@1.0.0'}};

test('installed into an empty folder it replays a sample without the network', {timeout: 240_000}, async context => {
	using folder = tempFolder();
	const {filename} = await pack('--pack-destination', folder.path);
	const prefix = join(folder.path, 'prefix');
	mkdirSync(prefix);
	writeFileSync(join(prefix, 'package.json'), JSON.stringify(WITHOUT_MODELS));
	const install = ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=0'];
	try {
		await run('npm', [...install, '--prefer-offline', join(folder.path, filename)], {cwd: folder.path});
	} catch (error) {
		const said = String((error as {stderr?: string}).stderr);
		if (!UNREACHABLE.test(said)) throw error;
		process.stderr.write('skipped: the package registry cannot be reached\n');
		return context.skip();
	}
	const home = join(prefix, 'node_modules/hindcast');
	const hindcast = async (...args: string[]) => {
		const {stdout} = await run(process.execPath, [join(home, 'bin/run.js'), ...args, '--json', '--quiet'], {
			cwd: folder.path,
			env: {PATH: process.env.PATH, HOME: folder.path, HINDCAST_OFFLINE: '1'},
			maxBuffer: 1 << 26,
		});
		return JSON.parse(stdout);
	};
	// The demo itself is run whole in demo.test.ts; here its path over the small sample is enough.
	await hindcast('import', join(home, 'datasets/first-steps'));
	for (const args of [['extract'], ['aggregate'], ['index', '--embedder', 'static']]) await hindcast(...args);
	const replayed = await hindcast('replay', '--arm', 'hybrid', '--embedder', 'static');
	expect(replayed).toMatchObject({ok: true, targets: 28});
	expect((await hindcast('db', 'check')).findings).toEqual([]);
	expect(existsSync(join(folder.path, 'hindcast.duckdb'))).toBe(true);
});

test.each(['README.md', 'README.zh-CN.md'])(
	'%s points to nothing outside the repository, and to nothing missing',
	page => {
		const text = readFileSync(join(root, page), 'utf8');
		expect(text).not.toMatch(/https?:\/\//);
		const markdown = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)];
		const html = [...text.matchAll(/(?:src|srcset|href)="([^"]+)"/g)];
		const missing = [...markdown, ...html].map(([, path]) => path!).filter(path => !existsSync(join(root, path)));
		expect(missing).toEqual([]);
	},
);

test('both READMEs give the same commands', () => {
	const commands = (page: string) => {
		const text = readFileSync(join(root, page), 'utf8');
		const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block!);
		return blocks.flatMap(block =>
			block.split('\n').flatMap(line => /^\s*((?:node|npm) \S+(?: \w\S*)?)/.exec(line)?.[1] ?? []),
		);
	};
	expect(commands('README.zh-CN.md')).toEqual(commands('README.md'));
	expect(commands('README.md')).toContain('npm ci');
});
