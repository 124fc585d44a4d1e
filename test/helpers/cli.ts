import {type ChildProcess, spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

/** The repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = join(root, 'bin/run.js');

export interface CliResult {
	readonly exit: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

export interface CliOptions {
	readonly cwd: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly stdin?: string;
}

/** Starts the built CLI. */
export function startCli(args: readonly string[], {cwd, env = {}}: CliOptions): ChildProcess {
	const inherited = {...process.env};
	// NODE_ENV=test, which the runner sets, would make oclif read the sources in place of what was built.
	for (const name of ['NODE_ENV', 'HINDCAST_DB', 'HINDCAST_MODELS', 'HINDCAST_BENCH', 'NODE_OPTIONS']) {
		delete inherited[name];
	}
	return spawn(process.execPath, [bin, ...args], {cwd, env: {...inherited, ...env}, stdio: 'pipe'});
}

/** Runs the built CLI to its end. */
export async function cli(args: readonly string[], options: CliOptions): Promise<CliResult> {
	const child = startCli(args, options);
	let [stdout, stderr] = ['', ''];
	child.stdout?.setEncoding('utf8').on('data', chunk => {
		stdout += chunk;
	});
	child.stderr?.setEncoding('utf8').on('data', chunk => {
		stderr += chunk;
	});
	child.stdin?.end(options.stdin ?? '');
	const exit = await new Promise<number | null>(resolve => child.on('close', resolve));
	return {exit, stdout, stderr};
}

/** Runs with --json and parses the one object. */
export async function cliJson(args: readonly string[], options: CliOptions) {
	const result = await cli([...args, '--json'], options);
	return {...result, json: JSON.parse(result.stdout)};
}

/** A fresh folder, removed when the test ends: `using folder = tempFolder()`. */
export function tempFolder(): {readonly path: string} & Disposable {
	const path = mkdtempSync(join(tmpdir(), 'hindcast-test-'));
	return {path, [Symbol.dispose]: () => rmSync(path, {recursive: true, force: true})};
}

/** The small sample, and the stages up to a replay of it. */
export const SAMPLE = join(root, 'datasets/first-steps/conversations.ndjson');
export const PIPELINE: readonly (readonly string[])[] = [
	['extract'],
	['aggregate'],
	['index', '--embedder', 'hashed'],
	['replay', '--arm', 'seed', '--arm', 'hybrid', '--embedder', 'hashed'],
];

/** Imports and runs every stage; fails the test when one does not end well. */
export async function runPipeline(options: CliOptions, source: string = SAMPLE): Promise<void> {
	for (const args of [['import', source], ...PIPELINE]) {
		const {exit, stderr} = await cli([...args, '--quiet'], options);
		if (exit !== 0) throw new Error(`${args.join(' ')} ended with ${exit}: ${stderr}`);
	}
}

/** Canonical exports of the tables that two equal runs must share. */
export async function exports(
	options: CliOptions,
	tables: readonly string[] = ['cards', 'beats', 'candidates', 'exposures'],
): Promise<Record<string, string>> {
	const texts: Record<string, string> = {};
	for (const table of tables) {
		const {exit, stdout, stderr} = await cli(['db', 'export', '--ndjson', table], options);
		if (exit !== 0) throw new Error(stderr);
		texts[table] = stdout;
	}
	return texts;
}
