import {copyFileSync, existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {Database} from '../../src/store/duckdb.js';
import {cli, cliJson, exports, runPipeline, SAMPLE, startCli, tempFolder} from '../helpers/cli.js';

test('a missing file, an unknown flag and a bad value end with 2 and say what to do, as text and as JSON', async () => {
	using folder = tempFolder();
	const at = {cwd: folder.path};
	for (const args of [
		['extract'],
		['extract', '--nonsense'],
		['extract', '--extractor', 'magic'],
		['replay', '--repeats', 'x'],
	]) {
		const text = await cli(args, at);
		expect(text.exit).toBe(2);
		expect(text.stdout).toBe('');
		expect(text.stderr).toMatch(/^error [A-Z_]+: /m);
		expect(text.stderr).not.toMatch(/\n\s+at /);
		const {json, exit} = await cliJson(args, at);
		expect(exit).toBe(2);
		expect(json).toMatchObject({
			ok: false,
			error: {code: expect.stringMatching(/^[A-Z_]+$/), message: expect.any(String), hint: expect.any(String)},
		});
	}
	expect(existsSync(join(folder.path, 'hindcast.duckdb'))).toBe(false);
});

test('a second process is told which file, which pid, and what to do; the file is untouched', async () => {
	using folder = tempFolder();
	const file = join(folder.path, 'hindcast.duckdb');
	await cli(['import', SAMPLE], {cwd: folder.path});
	const db = await Database.open(file);
	const {json, exit} = await cliJson(['extract'], {cwd: folder.path});
	expect(exit).toBe(1);
	expect(json.error).toMatchObject({code: 'DB_LOCKED', details: {pid: process.pid}});
	expect(json.error.message).toContain('hindcast.duckdb');
	db.close();
	expect((await cli(['extract'], {cwd: folder.path})).exit).toBe(0);
});

test('a file that is no database, one of another program, and one of a newer hindcast are refused', async () => {
	using folder = tempFolder();
	const at = {cwd: folder.path};
	writeFileSync(
		join(folder.path, 'text.duckdb'),
		'this is text, long enough to be no database header at all. '.repeat(100),
	);
	writeFileSync(join(folder.path, 'empty.duckdb'), '');
	const other = await Database.open(join(folder.path, 'other.duckdb'));
	await other.run('CREATE TABLE t (a INTEGER)');
	other.close();
	await cli(['import', SAMPLE, '--db', 'newer.duckdb'], at);
	const newer = await Database.open(join(folder.path, 'newer.duckdb'));
	await newer.run("UPDATE meta SET value = '999' WHERE key = 'schema_version'");
	newer.close();
	const codes = [];
	for (const name of ['text', 'empty', 'other', 'newer']) {
		const {json, exit} = await cliJson(['extract', '--db', `${name}.duckdb`], at);
		expect(exit).toBe(1);
		codes.push(json.error.code);
	}
	expect(codes).toEqual(['DB_INVALID', 'DB_INVALID', 'DB_INVALID', 'DB_NEWER']);
});

test('the memory zone is fixed when the file is made', async () => {
	using folder = tempFolder();
	const at = {cwd: folder.path};
	expect((await cli(['import', SAMPLE, '--tz', 'Europe/Paris'], at)).exit).toBe(0);
	expect((await cliJson(['import', SAMPLE, '--tz', 'Asia/Tokyo'], at)).json.error.code).toBe('ZONE_FIXED');
	expect((await cliJson(['import', SAMPLE, '--tz', 'Mars/Olympus'], at)).json.error.code).toBe('BAD_ZONE');
	expect((await cli(['import', SAMPLE, '--tz', 'Europe/Paris'], at)).exit).toBe(0);
});

test('stages out of order say which one comes first', async () => {
	using folder = tempFolder();
	const at = {cwd: folder.path};
	await cli(['import', SAMPLE], at);
	expect((await cliJson(['aggregate'], at)).json.error.code).toBe('CARD_SET_UNKNOWN');
	await cli(['extract'], at);
	expect((await cliJson(['index'], at)).json.error.code).toBe('CARD_SET_UNKNOWN');
	await cli(['aggregate'], at);
	expect((await cliJson(['recall', 'tea'], at)).json.error.code).toBe('INDEX_MISSING');
	await cli(['index', '--embedder', 'hashed'], at);
	expect((await cliJson(['recall', 'tea', '--embedder', 'nope'], at)).json.error.code).toBe('EMBEDDER_UNKNOWN');
	expect((await cliJson(['recall', 'tea', '--arm', 'nope'], at)).json.error.code).toBe('ARM_INVALID');
	expect((await cliJson(['recall'], at)).json.error.code).toBe('BAD_USAGE');
	expect((await cliJson(['recall', '--message', 'm_0'], at)).json.error.code).toBe('TARGET_UNKNOWN');
	expect((await cliJson(['recall', 'tea', '--explain', 'c_0'], at)).json.error.code).toBe('CARD_UNKNOWN');
	expect((await cliJson(['recall', 'tea', '--at', 'soon'], at)).json.error.code).toBe('BAD_USAGE');
	expect((await cliJson(['replay', '--targets', '@nothing.txt'], at)).json.error.code).toBe('PATH_MISSING');
	expect((await cliJson(['replay', '--targets', 'questions'], at)).json.error.code).toBe('NOTHING_TO_DO');
	expect((await cli(['db', 'export', '--ndjson', 'nope'], at)).stderr).toContain('error TABLE_UNKNOWN');
});

test('an arm file with an unknown setting is refused by name; one that extends a shipped arm works', async () => {
	using folder = tempFolder();
	const at = {cwd: folder.path};
	await runPipeline(at);
	writeFileSync(join(folder.path, 'bad.yaml'), 'extends: hybrid\nroutes: {lexcal: {top: 3}}\n');
	const bad = await cliJson(['replay', '--arm', 'bad.yaml'], at);
	expect(bad.json.error).toMatchObject({code: 'ARM_INVALID', message: expect.stringContaining('lexcal')});
	writeFileSync(
		join(folder.path, 'words.yaml'),
		'extends: hybrid\nname: words\nroutes: {q1_m2: null, q2_m4: null}\njudge: off\n',
	);
	const {json} = await cliJson(['replay', '--arm', 'words.yaml'], at);
	expect(json.arm).toBe('words');
	expect(json.delivered).toBeGreaterThan(0);
});

test('an import that fails leaves no new file, and strict writes nothing when there is a warning', async () => {
	using folder = tempFolder();
	const at = {cwd: folder.path};
	writeFileSync(join(folder.path, 'unrelated.json'), '{"name":"x","version":"1.0.0"}');
	writeFileSync(
		join(folder.path, 'half.json'),
		'[{"messages":[{"role":"user","content":"你好吗"}]},{"messages":[{"role":',
	);
	const unrelated = await cliJson(['import', 'unrelated.json'], at);
	expect(unrelated.exit).toBe(1);
	expect(unrelated.json.error.code).toBe('FORMAT_UNKNOWN');
	expect(unrelated.json.error.message).toContain('name, version');
	const strict = await cliJson(['import', 'half.json', '--strict'], at);
	expect([strict.exit, strict.json.error.code]).toEqual([1, 'IMPORT_STRICT']);
	expect(existsSync(join(folder.path, 'hindcast.duckdb'))).toBe(false);
	const partial = await cliJson(['import', 'half.json'], at);
	expect(partial.exit).toBe(3);
	expect(partial.json).toMatchObject({ok: true, partial: true, messages: 1, warnings: {broken_json: 1}});
	expect((await cliJson(['import', 'no-such-file'], at)).json.error.code).toBe('PATH_MISSING');
});

test('standard input is imported like a file', async () => {
	using folder = tempFolder();
	const {json} = await cliJson(['import', '-'], {cwd: folder.path, stdin: readFileSync(SAMPLE, 'utf8')});
	expect(json.messages).toBe(49);
});

test('a memory file and its backup can be read by their owner alone, and a backup overwrites nothing', async () => {
	using folder = tempFolder();
	const at = {cwd: folder.path};
	await cli(['import', SAMPLE], at);
	expect((await cli(['db', 'backup', '--out', 'copy.duckdb'], at)).exit).toBe(0);
	for (const name of ['hindcast.duckdb', 'copy.duckdb'])
		expect(statSync(join(folder.path, name)).mode & 0o777).toBe(0o600);
	expect((await cliJson(['db', 'backup', '--out', 'copy.duckdb'], at)).json.error.code).toBe('BACKUP_EXISTS');
	expect(await exports({...at, env: {HINDCAST_DB: 'copy.duckdb'}}, ['messages'])).toEqual(
		await exports(at, ['messages']),
	);
	copyFileSync(join(folder.path, 'copy.duckdb'), join(folder.path, 'again.duckdb'));
	expect((await cliJson(['db', 'info', '--db', 'again.duckdb'], at)).json).toMatchObject({
		tables: {messages: 49},
		meta: {memory_zone: 'Asia/Shanghai'},
	});
});

test('a reader that closes the pipe early is no error', async () => {
	using folder = tempFolder();
	await cli(['import', SAMPLE], {cwd: folder.path});
	const child = startCli(['db', 'export', '--ndjson', 'messages'], {cwd: folder.path});
	let stderr = '';
	child.stderr?.on('data', chunk => {
		stderr += chunk;
	});
	child.stdout?.destroy();
	await new Promise(resolve => child.on('close', resolve));
	expect(stderr).toBe('');
});
