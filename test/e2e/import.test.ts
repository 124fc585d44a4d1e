import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {chain, conversation} from '../fixtures/importers/chatgpt/build.js';
import {cli, cliJson, exports, root, tempFolder} from '../helpers/cli.js';
import {makeZip} from '../unit/importers/helpers.js';
import {writeFiles} from '../unit/importers/import-run.js';

const fixtures = join(root, 'test/fixtures/importers');
const chatgpt = readFileSync(join(fixtures, 'chatgpt/conversations.json'), 'utf8');
const claude = readFileSync(join(fixtures, 'claude/conversations.json'), 'utf8');
const zipOf = (files: Readonly<Record<string, string>>, flags = 0x800): Buffer =>
	makeZip(Object.entries(files).map(([name, content]) => ({name, content, flags})));
const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(400, 0xfe)]);
/** Anything that a terminal would obey. Line feeds end the lines of the output. */
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;
const hasDb = (folder: string): boolean => existsSync(join(folder, 'hindcast.duckdb'));

describe.concurrent('every format', () => {
	test.each([
		['claude', 'claude/conversations.json', 3, 10],
		['chatgpt', 'chatgpt/conversations.json', 2, 15],
		['claude-code', 'claude-code/session.jsonl', 1, 20],
		['sharegpt', 'sharegpt/data.json', 3, 11],
		['markdown', 'markdown/heading.md', 1, 4],
		['openai', 'openai/conversations.jsonl', 2, 7],
	])('%s is told by its content, and may be named', async (format, path, conversations, messages) => {
		using folder = tempFolder();
		const at = {cwd: folder.path};
		const file = join(fixtures, path);
		const {json, exit} = await cliJson(['import', file], at);
		expect(exit).toBe(0);
		expect(json).toMatchObject({ok: true, formats: {[format]: 1}, conversations, messages, added: messages});
		expect(json.source_list).toMatchObject([{path: file, format, conversations, messages}]);
		const again = await cliJson(['import', file, '--format', format], at);
		expect(again.exit).toBe(0);
		expect(again.json).toMatchObject({added: 0, updated: 0, unchanged: messages});
	});
});

describe.concurrent('files that cannot be imported: what was found, what was wanted, what to do; nothing is written', () => {
	const files: Readonly<Record<string, unknown>> = {
		'unrelated.json': '{"name":"x","version":"1.0.0"}',
		'empty.json': '',
		'blank.json': ' \n',
		'picture.json': PNG,
		'deepseek.json': '[{"inserted_at":"2025-04-29","mapping":{"1":{"message":{"fragments":[]}}}}]',
		'cut.json': chatgpt.slice(0, 300),
		'comma.json': '[\n{"mapping":{},},\n]',
		'locked.zip': zipOf({'conversations.json': chatgpt}, 0x801),
		'nozip.zip': Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(60)]),
		'hollow.zip': zipOf({}),
		'up.zip': zipOf({'../conversations.json': chatgpt}),
		'packed.gz': Buffer.from([0x1f, 0x8b, 8, 0, 0]),
		'manifest.json': readFileSync(join(fixtures, 'claude/manifest.json')),
		'memories.json': readFileSync(join(fixtures, 'claude/memories.json')),
	};
	test.each([
		[
			'unrelated.json',
			'FORMAT_UNKNOWN',
			/Looked for: .*chatgpt \(.*Found: one JSON object with the keys name, version/,
		],
		['empty.json', 'FORMAT_UNKNOWN', /Found: nothing, the file is empty/],
		['blank.json', 'FORMAT_UNKNOWN', /Found: nothing but white space/],
		['picture.json', 'FORMAT_UNKNOWN', /Found: data that is no text/],
		['deepseek.json', 'FORMAT_UNKNOWN', /looks like a DeepSeek export, which this version cannot read yet/],
		['cut.json', 'IMPORT_EMPTY', /cut\.json:\d+:\d+: broken_json the file ends inside a value/],
		['comma.json', 'IMPORT_EMPTY', /comma\.json:2:15: broken_json unexpected "}"/],
		['locked.zip', 'ENCRYPTED', /locked\.zip!conversations\.json: encrypted it is encrypted/],
		['nozip.zip', 'ARCHIVE_REFUSED', /nozip\.zip was refused: it cannot be read/],
		['hollow.zip', 'IMPORT_EMPTY', /No conversation was found in hollow\.zip/],
		['up.zip', 'IMPORT_EMPTY', /its name leads out of the archive.*Skipped: archive_refused 1/],
		['packed.gz', 'ARCHIVE_REFUSED', /only zip archives are opened/],
		['manifest.json', 'IMPORT_EMPTY', /holds no chats: fetch conversations-000\.zip/],
		['memories.json', 'IMPORT_EMPTY', /Skipped: provider_memory 1/],
		['none.json', 'PATH_MISSING', /there is no such file/],
		['*.none', 'PATH_MISSING', /no file matches this pattern/],
		['nothing', 'IMPORT_EMPTY', /No conversation was found in nothing/],
	])('%s: %s', async (name, code, message) => {
		using folder = tempFolder();
		const content = files[name];
		writeFiles(folder.path, content === undefined ? {} : {[name]: content});
		mkdirSync(join(folder.path, 'nothing'));
		const {json, exit, stderr} = await cliJson(['import', name], {cwd: folder.path});
		expect([exit, json.ok, json.error.code]).toEqual([1, false, code]);
		expect(json.error.message).toMatch(message);
		expect(json.error.hint.length).toBeGreaterThan(10);
		expect(stderr + json.error.message).not.toMatch(/\n\s+at /);
		expect(hasDb(folder.path)).toBe(false);
	});

	test('a format that does not fit is refused by name, for a file and for an archive', async () => {
		using folder = tempFolder();
		writeFiles(folder.path, {'a.json': claude, 'a.zip': zipOf({'conversations.json': claude})});
		for (const name of ['a.json', 'a.zip']) {
			const {stderr, stdout, exit} = await cli(['import', name, '--format', 'chatgpt'], {cwd: folder.path});
			expect([exit, stdout]).toEqual([1, '']);
			expect(stderr).toMatch(/^error FORMAT_MISMATCH: a\..* is not chatgpt \(.*\); it looks like claude\./);
			expect(stderr).toContain('Leave --format out');
		}
		expect((await cli(['import', 'a.json', '--format', 'nonsense'], {cwd: folder.path})).exit).toBe(2);
	});

	test('one wrong file among good ones: nothing of the others is written', async () => {
		using folder = tempFolder();
		writeFiles(folder.path, {'a.json': claude, 'b.json': '{"x":1}', 'c.json': chatgpt});
		const at = {cwd: folder.path};
		await cli(['import', 'c.json'], at);
		const before = await exports(at, ['messages']);
		expect((await cliJson(['import', 'a.json', 'b.json'], at)).json.error.code).toBe('FORMAT_UNKNOWN');
		expect(await exports(at, ['messages'])).toEqual(before);
	});
});

test('a file that breaks off: what is complete is kept, the place is told, exit 3; strict: nothing, exit 1', async () => {
	using folder = tempFolder();
	const at = {cwd: folder.path};
	const good = JSON.stringify(conversation(chain(2)));
	writeFiles(folder.path, {'cut.json': `[\n${good},\n{"mapping":{"a":`, 'x/cut.json': `[\n${good},\n]`});
	const strict = await cliJson(['import', 'cut.json', '--strict'], at);
	expect([strict.exit, strict.json.error.code]).toEqual([1, 'IMPORT_STRICT']);
	expect(strict.json.error.message).toContain('cut.json:3:17: broken_json');
	expect(hasDb(folder.path)).toBe(false);
	const partial = await cli(['import', 'cut.json'], at);
	expect([partial.exit, partial.stderr]).toEqual([3, '']);
	expect(partial.stdout).toMatch(/conversations +1\n[\s\S]*broken_json: cut\.json:3:17 the file ends inside a value/);
	const again = await cliJson(['import', 'x'], at);
	expect(again).toMatchObject({exit: 3, json: {ok: true, partial: true, added: 0, unchanged: 2}});
	expect(again.json.warning_list[0].where).toBe('x/cut.json:3:1');
});

test('one file, shards, a zip, a folder, a zip with a folder, standard input: the same ids and rows', async () => {
	using folder = tempFolder();
	const records = [...(JSON.parse(chatgpt) as unknown[])];
	for (let n = 0; n < 10; n += 1) records.push(conversation(chain(n + 1), {conversation_id: `c${n}`}));
	const single = JSON.stringify(records);
	const shards = Object.fromEntries(records.map((record, n) => [`conversations-${n}.json`, JSON.stringify([record])]));
	const beside = {'user.json': readFileSync(join(fixtures, 'chatgpt/user.json'), 'utf8'), 'chat.html': '<html></html>'};
	const inFolder = (name: string, files: Readonly<Record<string, string>>) =>
		Object.fromEntries(Object.entries(files).map(([path, text]) => [`${name}/${path}`, text]));
	writeFiles(folder.path, {
		'conversations.json': single,
		...inFolder('shards', {...shards, ...beside}),
		'shards.zip': zipOf({...shards, ...beside}),
		'deep.zip': zipOf(inFolder('export', shards)),
	});
	const of = async (path: string, stdin = '') => {
		const at = {cwd: folder.path, stdin, env: {HINDCAST_DB: `${path.replace(/\W/g, '_')}.duckdb`}};
		const {json} = await cliJson(['import', path], at);
		expect(json, path).toMatchObject({conversations: 12, messages: 70, added: 70, warnings: {}});
		const {messages, conversations} = await exports(at, ['messages', 'conversations']);
		return {messages, conversations: conversations?.replaceAll(/"source_id":"\w+"/g, '')};
	};
	const expected = await of('conversations.json');
	for (const path of ['shards', 'shards.zip', 'deep.zip']) expect(await of(path), path).toEqual(expected);
	expect(await of('-', single)).toEqual(expected);
});

test('a newer export adds, updates and keeps; the older one after it takes nothing back; overlap is joined', async () => {
	using folder = tempFolder();
	const at = {cwd: folder.path};
	const later = [...chain(3), {id: 'n3', parent: 'n2', role: 'assistant', text: 'line 3, longer', time: 1_767_600_003}];
	const newest = {update_time: 1_767_700_000, title: 'Renamed'};
	writeFiles(folder.path, {
		'old.json': [conversation(chain(4)), conversation(chain(2), {conversation_id: 'gone'})],
		'new.json': [conversation([...later, {id: 'n4', parent: 'n3', text: 'more', time: 1_767_600_009}], newest)],
	});
	expect((await cliJson(['import', 'old.json'], at)).json).toMatchObject({added: 6, updated: 0, unchanged: 0});
	const before = (await exports(at, ['messages'])).messages ?? '';
	expect((await cliJson(['import', 'new.json'], at)).json).toMatchObject({added: 1, updated: 1, unchanged: 3});
	const after = await exports(at, ['messages', 'conversations']);
	for (const [id] of before.matchAll(/"message_id":"\w+"/g)) expect(after.messages).toContain(id);
	expect(after.messages).toContain('line 3, longer');
	expect(after.conversations).toContain('"title":"Renamed"');
	const back = await cliJson(['import', 'old.json'], at);
	expect(back).toMatchObject({exit: 0, json: {added: 0, updated: 0, unchanged: 7}});
	expect(await exports(at, ['messages', 'conversations'])).toEqual(after);
	const both = {...at, env: {HINDCAST_DB: 'both.duckdb'}};
	const {json} = await cliJson(['import', 'old.json', 'new.json'], both);
	expect(json).toMatchObject({added: 7, updated: 1, unchanged: 3});
	expect((await exports(both, ['messages'])).messages).toBe(after.messages);
});

test('names of files and texts of chats never reach the terminal as they are', async () => {
	using folder = tempFolder();
	const name = 'evil\u001b[31m\u009b\u202e.json';
	const odd = {'\u001b]0;title\u0007': 1, role: '\u001b[2J'};
	const good = {
		id: 'c\u001b[0m',
		messages: [{role: 'user', content: 'x \ud83d'}, odd, {role: '\u0007\u0085', content: 'y'}],
	};
	writeFiles(folder.path, {
		[`x/${name}`]: [good, odd, {time: '\u001b'}],
		[name]: [odd],
		'up.zip': zipOf({[`../${name}`]: 'x', [name]: '[{"a":1}]'}),
	});
	const runs = [['x'], ['x', '--strict'], [name], ['up.zip'], [`${name}x`], ['x', '--json'], [name, '--json']];
	for (const args of runs) {
		const {stdout, stderr} = await cli(['import', ...args, '--db', 'x.duckdb'], {cwd: folder.path});
		expect(stdout + stderr, args.join(' ')).not.toMatch(OBEYED);
		// JSON would write a control character as an escape of its own; here the backslash itself is part of the text.
		if (args.includes('--json')) expect(stdout).not.toMatch(/[^\\]\\u00/);
	}
	const {json} = await cliJson(['import', 'x', '--db', 'x.duckdb'], {cwd: folder.path});
	expect(json.warning_list[0].where).toContain('x/evil\\u001b[31m\\u009b\\u202e.json');
});

test('times without a zone take --assume-tz, with a warning; a folder passes over what is no chat, counted', async () => {
	using folder = tempFolder();
	const at = {cwd: folder.path};
	const row = {role: 'user', content: 'hi', created_at: '2026-01-02 08:00:00'};
	writeFiles(folder.path, {
		'x/a.json': [row],
		'x/package.json': '{"name":"x"}',
		'x/empty': '',
		'x/p.png': PNG,
		'x/README.md': '# x\n',
	});
	const {json, exit} = await cliJson(['import', 'x', '--assume-tz', 'Asia/Shanghai'], at);
	expect(exit).toBe(0);
	expect(json).toMatchObject({
		messages: 1,
		warnings: {zone_assumed: 1},
		skipped: {not_a_chat: 2, empty: 1, media: 1},
		time_range: {from: '2026-01-02T00:00:00Z', to: '2026-01-02T00:00:00Z'},
	});
	expect((await cliJson(['import', 'x/a.json', '--assume-tz', 'UTC', '--strict'], at)).json.error.code).toBe(
		'IMPORT_STRICT',
	);
});
