import {expect, test} from 'vitest';
import {cli, exports, PIPELINE, runPipeline, SAMPLE, startCli, tempFolder} from '../helpers/cli.js';
import {locomoFile} from '../helpers/shared.js';

const TABLES = [
	'windows',
	'events',
	'cards',
	'beats',
	'aggregate_batches',
	'embeddings',
	'index_rows',
	'candidates',
	'exposures',
];

/** Kills a stage again and again, a little later each time, until it gets through. @returns how often it was killed */
async function killUntilDone(args: readonly string[], cwd: string, stepMs: number): Promise<number> {
	let kills = 0;
	for (let wait = 200; ; wait += stepMs) {
		const child = startCli([...args, '--quiet'], {cwd});
		const timer = setTimeout(() => child.kill('SIGKILL'), wait);
		const [code] = await new Promise<[number | null]>(resolve => child.on('close', exit => resolve([exit])));
		clearTimeout(timer);
		if (code !== null) {
			expect(code).toBe(0);
			return kills;
		}
		kills++;
	}
}

test('kill -9 in import, extract, aggregate, index and replay, then running again, gives the undisturbed tables', async () => {
	using calm = tempFolder();
	using rough = tempFolder();
	await runPipeline({cwd: calm.path});
	let kills = 0;
	for (const args of [['import', SAMPLE], ...PIPELINE]) kills += await killUntilDone(args, rough.path, 100);
	expect(kills).toBeGreaterThan(5);
	expect(await exports({cwd: rough.path}, TABLES)).toEqual(await exports({cwd: calm.path}, TABLES));
	expect((await cli(['db', 'check'], {cwd: rough.path})).exit).toBe(0);
}, 900_000);

test.skipIf(locomoFile() === null)(
	'the same over LoCoMo, where every stage has many units',
	async () => {
		using calm = tempFolder();
		using rough = tempFolder();
		const stages = [
			['import', locomoFile()!],
			['extract'],
			['aggregate'],
			['index', '--embedder', 'hashed'],
			['replay', '--targets', 'questions', '--arm', 'hybrid'],
		];
		for (const args of stages) expect((await cli([...args, '--quiet'], {cwd: calm.path})).exit).toBe(0);
		for (const args of stages) await killUntilDone(args, rough.path, 1500);
		expect(await exports({cwd: rough.path}, TABLES)).toEqual(await exports({cwd: calm.path}, TABLES));
	},
	300_000,
);

test('Ctrl-C ends after the unit at hand, keeps it, marks the run and exits 130', async () => {
	using folder = tempFolder();
	const source = locomoFile() ?? SAMPLE;
	await cli(['import', source], {cwd: folder.path});
	// A signal that comes before the command is up simply ends the process; then it is tried again, later.
	let code: number | null = null;
	for (let wait = 900; code === null && wait < 30_000; wait *= 2) {
		const child = startCli(['extract', '--quiet'], {cwd: folder.path});
		setTimeout(() => child.kill('SIGINT'), wait);
		code = await new Promise<number | null>(resolve => child.on('close', resolve));
	}
	const {runs} = await exports({cwd: folder.path}, ['runs']);
	const last = JSON.parse(runs!.trim().split('\n').at(-1)!);
	// The small sample may be through before the signal comes; then the run is simply done.
	expect([code, last.status]).toEqual(code === 0 ? [0, 'done'] : [130, 'interrupted']);
});
