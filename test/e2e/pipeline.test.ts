import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {Database} from '../../src/store/duckdb.js';
import {TABLES} from '../../src/store/tables.js';
import {cli, cliJson, exports, PIPELINE, runPipeline, SAMPLE, tempFolder} from '../helpers/cli.js';
import {locomoFile} from '../helpers/shared.js';

const ALL = Object.keys(TABLES).filter(table => table !== 'runs' && table !== 'meta');

test('the path over the small sample gives what the contract promises', async () => {
	using folder = tempFolder();
	const at = {cwd: folder.path};
	const imported = await cliJson(['import', SAMPLE], at);
	expect(imported.json).toMatchObject({
		ok: true,
		command: 'import',
		sources: 1,
		conversations: 8,
		messages: 49,
		added: 49,
	});
	expect(imported.json.by_role).toEqual({user: 28, assistant: 21});
	expect(imported.json.time_range).toEqual({from: '2026-01-10T12:40:00Z', to: '2026-01-24T02:21:00Z'});
	const extracted = await cliJson(['extract'], at);
	expect(extracted.json).toMatchObject({ok: true, windows: {failed: 0, pending: 0}, beats: {none: 0, filtered: 0}});
	const aggregated = await cliJson(['aggregate'], at);
	expect(aggregated.json).toMatchObject({ok: true, batches: {rejected: 0, pending: 0}, violations: {}});
	const indexed = await cliJson(['index', '--embedder', 'hashed'], at);
	expect(indexed.json).toMatchObject({ok: true, fingerprint: 'hashed/1/256', reused: 0, truncated: 0});
	const replayed = await cliJson(['replay', '--arm', 'hybrid'], at);
	expect(replayed.json).toMatchObject({
		ok: true,
		arm: 'hybrid',
		targets: 28,
		skipped: {'exempt:acknowledgement': 5, 'exempt:emoji': 1},
	});
	const counted = Object.values(replayed.json.skipped as Record<string, number>).reduce((a, b) => a + b, 0);
	expect(replayed.json.delivered + replayed.json.rejected + counted).toBe(28);
	const recalled = await cliJson(['recall', '晚上喝什么'], at);
	expect(recalled.json.candidates[0]).toMatchObject({
		kind: 'card',
		rank: 1,
		route: expect.any(String),
		score: expect.any(Number),
	});
	const checked = await cliJson(['db', 'check'], at);
	expect(checked.exit).toBe(0);
	expect(checked.json).toMatchObject({ok: true, findings: []});
});

test('running any stage again adds no row outside runs', async () => {
	using folder = tempFolder();
	const at = {cwd: folder.path};
	await runPipeline(at);
	const before = await exports(at, ALL);
	await runPipeline(at);
	expect(await exports(at, ALL)).toEqual(before);
	const again = await cliJson(['import', SAMPLE], at);
	expect(again.json).toMatchObject({added: 0, updated: 0, unchanged: 49});
});

test('two runs give the same bytes, also in another zone and locale and with shuffled input', async () => {
	using first = tempFolder();
	using second = tempFolder();
	await runPipeline({cwd: first.path, env: {TZ: 'UTC', LANG: 'C', LC_ALL: 'C'}});
	const shuffled = join(second.path, 'other-name.ndjson');
	const lines = readFileSync(SAMPLE, 'utf8').trim().split('\n');
	writeFileSync(shuffled, `${[5, 2, 7, 0, 3, 6, 1, 4].map(i => lines[i]).join('\n')}\n`);
	await runPipeline(
		{cwd: second.path, env: {TZ: 'America/New_York', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8'}},
		shuffled,
	);
	const [a, b] = [await exports({cwd: first.path}), await exports({cwd: second.path})];
	expect(b).toEqual(a);
	expect(a.cards!.length).toBeGreaterThan(1000);
	expect(a.exposures!.length).toBeGreaterThan(1000);
});

test('the order of the rows in the file does not matter', async () => {
	using plain = tempFolder();
	using shuffled = tempFolder();
	await runPipeline({cwd: plain.path});
	await cli(['import', SAMPLE], {cwd: shuffled.path});
	const db = await Database.open(join(shuffled.path, 'hindcast.duckdb'));
	for (const table of ['messages', 'conversations']) {
		await db.script(`CREATE TEMP TABLE shuffled AS SELECT * FROM ${table} ORDER BY hash(${table.slice(0, -1)}_id || 'x');
			DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM shuffled; DROP TABLE shuffled;`);
	}
	db.close();
	for (const args of PIPELINE) expect((await cli([...args, '--quiet'], {cwd: shuffled.path})).exit).toBe(0);
	expect(await exports({cwd: shuffled.path})).toEqual(await exports({cwd: plain.path}));
});

test('a run over all days gives the same cards as the runs day by day', async () => {
	using whole = tempFolder();
	using daily = tempFolder();
	await cli(['import', SAMPLE], {cwd: whole.path});
	await cli(['extract'], {cwd: whole.path});
	await cli(['aggregate'], {cwd: whole.path});
	await cli(['import', SAMPLE], {cwd: daily.path});
	for (const day of ['10', '12', '13', '18', '20', '21', '22', '24']) {
		await cli(['extract', '--day', `2026-01-${day}`], {cwd: daily.path});
		await cli(['aggregate'], {cwd: daily.path});
	}
	const tables = ['windows', 'events', 'cards', 'beats', 'aggregate_batches'];
	expect(await exports({cwd: daily.path}, tables)).toEqual(await exports({cwd: whole.path}, tables));
});

test('a message of the sample can be explained: what it saw, and why a later card was not seen', async () => {
	using folder = tempFolder();
	const at = {cwd: folder.path};
	await runPipeline(at);
	const {cards, messages} = await exports(at, ['cards', 'messages']);
	const rows = (text: string | undefined) =>
		(text ?? '')
			.trim()
			.split('\n')
			.map(line => JSON.parse(line));
	const target = rows(messages).find(row => row.native_id === 'fs-6-1');
	const later = rows(cards).find(row => row.day === '2026-01-22' && row.batch_id !== null);
	const {json} = await cliJson(['recall', '--message', target.message_id, '--explain', later.card_id], at);
	expect(json.cutoff).toMatchObject({basis: 'time', at: '2026-01-21T11:50:00Z', availability: 'nightly'});
	expect(json.why_not).toMatchObject({reason: 'cutoff', detail: 'can be seen from 2026-01-22T22:00:00Z'});
	expect(json.queries.q1).toBe('今晚喝什么好呢？');
	expect(json.candidates.some((candidate: {text: string}) => candidate.text.includes('浓茶'))).toBe(true);
});

test.skipIf(locomoFile() === null)('LoCoMo goes the whole way and the check is clean', async () => {
	using folder = tempFolder();
	const at = {cwd: folder.path};
	const imported = await cliJson(['import', locomoFile()!], at);
	expect(imported.json).toMatchObject({conversations: 128, messages: 2760, questions: {added: 999}});
	for (const args of PIPELINE.slice(0, 3)) expect((await cli(args, at)).exit).toBe(0);
	const {json} = await cliJson(['replay', '--targets', 'questions', '--arm', 'hybrid'], at);
	expect(json.targets).toBe(999);
	expect(json.evidence.questions).toBe(760);
	expect(json.evidence.recall_at_20).toBeGreaterThan(0.4);
	expect(json.evidence.pool).toBeGreaterThan(json.evidence.recall_at_20);
	expect((await cliJson(['db', 'check'], at)).json.findings).toEqual([]);
});
