import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {exportTable} from '../../../src/store/export.js';
import type {Store} from '../../../src/store/store.js';
import {chain, conversation} from '../../fixtures/importers/chatgpt/build.js';
import {collect, fixture, makeZip} from './helpers.js';
import {importInto, memoryStore, messagesOf, rowsOf, writeFiles} from './import-run.js';

const DATASETS = join(dirname(fileURLToPath(import.meta.url)), '../../../datasets');
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
const export1 = readFileSync(fixture('chatgpt/conversations.json'), 'utf8');
const sidecars = Object.fromEntries(
	['shared_conversations.json', 'message_feedback.json', 'user.json'].map(name => [
		name,
		readFileSync(fixture(`chatgpt/${name}`), 'utf8'),
	]),
);
const records = JSON.parse(export1) as unknown[];

let root = '';
let stores: Store[] = [];
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'hindcast-chatgpt-'));
});
afterEach(() => {
	for (const store of stores) store.close();
	stores = [];
	rmSync(root, {recursive: true, force: true});
});
async function newStore(): Promise<Store> {
	const store = await memoryStore();
	stores.push(store);
	return store;
}
const put = (files: Record<string, unknown>): string => writeFiles(root, files);
const zipOf = (files: Record<string, string | Uint8Array>): Buffer =>
	makeZip(Object.entries(files).map(([name, content]) => ({name, content})));
/** Imports the paths into a new store. */
async function imported(...paths: string[]) {
	const store = await newStore();
	const report = await importInto(
		store,
		paths.map(path => join(root, path)),
	);
	return {store, report, rows: await rowsOf(store)};
}

describe('one export in several wrappings', () => {
	test('B104 a file, shards, a zip, a folder and a zip with a folder give the same rows', async () => {
		const shards = Object.fromEntries(
			records.map((record, i) => [`conversations-00${i}.json`, JSON.stringify([record])]),
		);
		const beside = {...sidecars, 'export_manifest.json': '{"files":[]}', 'chat.html': '<html></html>'};
		put({
			'conversations.json': export1,
			...Object.fromEntries(Object.entries({...shards, ...beside}).map(([name, text]) => [`shards/${name}`, text])),
			'all.zip': zipOf({'conversations.json': export1, 'file-Ab1.png': PNG, ...beside}),
			'nested.zip': zipOf(Object.fromEntries(Object.entries(shards).map(([name, text]) => [`export/${name}`, text]))),
			'wrapped.json': {conversations: records},
		});
		const single = await imported('conversations.json');
		expect(single.report).toMatchObject({conversations: 2, messages: 15, added: 15, partial: false, warnings: {}});
		for (const path of ['shards', 'all.zip', 'nested.zip', 'wrapped.json']) {
			const {rows, report} = await imported(path);
			expect(rows, path).toEqual(single.rows);
			expect(report, path).toMatchObject({conversations: 2, added: 15, updated: 0, warnings: {}});
		}
		const {report} = await imported('shards');
		expect(report.skipped).toMatchObject({shared_link: 1, feedback: 1, account_data: 1, not_a_chat: 2});
	});

	test('B104, B105 shards are read in the order of their numbers; each has its own counts and errors', async () => {
		const shard = (n: number) => JSON.stringify([conversation(chain(n + 1), {conversation_id: `c${n}`})]);
		const names = [0, 1, 2, 9, 10, 11];
		const files = Object.fromEntries(
			names.map(n => [`conversations-${n}.json`, n === 9 ? `[${shard(9).slice(1, -1)},{"mapp` : shard(n)]),
		);
		put({
			'export.zip': zipOf(files),
			...Object.fromEntries(Object.entries(files).map(([name, text]) => [`x/${name}`, text])),
		});
		const {store, report} = await imported('export.zip');
		expect(report).toMatchObject({sources: 6, conversations: 6, partial: true, warnings: {broken_json: 1}});
		const told = (from: typeof report) => from.source_list.map(({messages, warnings}) => [messages, warnings]);
		expect(told(report)).toEqual(names.map(n => [n + 1, n === 9 ? 1 : 0]));
		expect(told((await imported('x')).report)).toEqual(told(report));
		const sources = await store.db.all<{
			path: string;
			counts: {conversations: number; messages: number};
			warnings: {kind: string}[];
		}>('SELECT path, counts, warnings FROM sources ORDER BY rowid');
		expect(sources.map(({path}) => Number(/(\d+)\.json$/.exec(path)?.[1]))).toEqual(names);
		expect(sources.map(({counts}) => counts.messages)).toEqual(names.map(n => n + 1));
		expect(sources.map(({warnings}) => warnings.length)).toEqual([0, 0, 0, 1, 0, 0]);
	});

	test('B107 media beside the chats are passed over, and the counts are true', async () => {
		const media = Object.fromEntries(Array.from({length: 50}, (_, i) => [`user-x/file-${i}.dat`, PNG]));
		put({'export.zip': zipOf({...media, 'conversations.json': export1})});
		expect((await imported('export.zip')).report).toMatchObject({conversations: 2, skipped: {media: 50}});
	});
});

test('B210 what files are called is told by two other parts of the export, else the id is kept', async () => {
	const pointers = ['file-service://file-a1', 'sediment://file_b2', 'sediment://file_c3'];
	const parts = pointers.map(asset_pointer => ({content_type: 'image_asset_pointer', asset_pointer}));
	const node = {id: 'm', content: {content_type: 'multimodal_text', parts}};
	put({
		'export.zip': zipOf({
			'conversations-000.json': JSON.stringify([conversation([node])]),
			'conversation_asset_file_names.json': '{"file-a1.dat":"garden.png"}',
			'library_files.json': '[{"file_id":"file_b2","file_name":"厨房.jpg","mime_type":"image/jpeg"}]',
		}),
	});
	const {store, report} = await imported('export.zip');
	const names = (await messagesOf(store))[0]?.attachments.map(({name}) => name);
	expect(names).toEqual(['garden.png', '厨房.jpg', 'file_c3']);
	expect(report.skipped).toMatchObject({file_list: 2});
});

describe('importing again', () => {
	test('B224 the same file again changes nothing', async () => {
		put({'conversations.json': export1});
		const {store, rows} = await imported('conversations.json');
		const again = await importInto(store, [join(root, 'conversations.json')]);
		expect(again).toMatchObject({added: 0, updated: 0, unchanged: 15});
		expect(await rowsOf(store)).toEqual(rows);
	});

	test('B224 a newer export adds and updates, keeps ids, marks what was abandoned and drops nothing', async () => {
		const first = chain(4);
		const later = [
			...chain(3),
			{id: 'n3', parent: 'n2', role: 'assistant', text: 'line 3, longer', time: 1_767_600_003},
			{id: 'n2b', parent: 'n1', text: 'asked otherwise', time: 1_767_600_100},
			{id: 'n3b', parent: 'n2b', role: 'assistant', text: 'answered', time: 1_767_600_101},
		];
		put({
			'a.json': [conversation(first, {current_node: 'n3'}), conversation(chain(2), {conversation_id: 'gone'})],
			'b.json': [conversation(later, {current_node: 'n3b', update_time: 1_767_700_000})],
		});
		const {store} = await imported('a.json');
		const before = await messagesOf(store);
		const report = await importInto(store, [join(root, 'b.json')]);
		// n2 is the same text, but no longer visible; n3 has another text as well.
		expect(report).toMatchObject({added: 2, updated: 2, unchanged: 2});
		const after = await messagesOf(store);
		expect(after.length).toBe(8);
		for (const {message_id} of before) expect(after.some(message => message.message_id === message_id)).toBe(true);
		const chat = after.filter(
			({conversation_id}) => conversation_id === before.find(m => m.text === 'line 2')?.conversation_id,
		);
		expect(chat.filter(({is_visible}) => is_visible).map(({text}) => text)).toEqual([
			'line 0',
			'line 1',
			'asked otherwise',
			'answered',
		]);
		expect(chat.find(({native_id}) => native_id === 'n3')).toMatchObject({text: 'line 3, longer', is_visible: false});
		expect(await store.db.all('SELECT text FROM message_versions')).toEqual([{text: 'line 3'}]);
		// The older file again: nothing goes back.
		expect(await importInto(store, [join(root, 'a.json')])).toMatchObject({added: 0, updated: 0});
		expect(await messagesOf(store)).toEqual(after);
	});

	test('B115 our own export of the messages is read again: the same words of the same persons', async () => {
		put({'conversations.json': export1});
		const {store} = await imported('conversations.json');
		const lines = await collect(exportTable(store.db, 'messages', false));
		put({'messages.ndjson': lines.join('\n')});
		const second = await imported('messages.ndjson');
		const told = async (from: Store) =>
			from.db.all('SELECT role, text, created_at, is_visible FROM messages ORDER BY created_at, role, text');
		expect(second.report.formats).toEqual({openai: 1});
		expect(await told(second.store)).toEqual(await told(store));
	});
});

describe('files that are broken, or no export', () => {
	test('B114 a syntax error: what stands before it is kept, with line and column; alone it is a failure', async () => {
		const good = JSON.stringify(conversation(chain(2)));
		put({'a.json': `[\n${good},\n]`, 'b.json': '[{"mapping":{},}]', 'c.json': `[${good},${good.slice(0, 400)}`});
		const {report} = await imported('a.json');
		expect(report).toMatchObject({conversations: 1, partial: true});
		expect(report.warning_list).toMatchObject([{kind: 'broken_json', where: `${join(root, 'a.json')}:3:1`}]);
		expect((await imported('c.json')).report).toMatchObject({conversations: 1, partial: true});
		await expect(imported('b.json')).rejects.toMatchObject({
			code: 'IMPORT_EMPTY',
			message: expect.stringContaining('b.json:1:'),
		});
	});

	test('B108 a format that is asked for: what fits in an archive is taken; when nothing does, the error says what it is', async () => {
		const claude = '[{"uuid":"u","name":"n","chat_messages":[{"uuid":"m","sender":"human","text":"x"}]}]';
		put({
			'mixed.zip': zipOf({'a.json': export1, 'b.json': claude}),
			'other.zip': zipOf({'conversations.json': claude}),
		});
		const store = await newStore();
		const report = await importInto(store, [join(root, 'mixed.zip')], {format: 'chatgpt'});
		expect(report).toMatchObject({formats: {chatgpt: 1}, skipped: {other_format: 1}});
		await expect(importInto(store, [join(root, 'other.zip')], {format: 'chatgpt'})).rejects.toMatchObject({
			code: 'FORMAT_MISMATCH',
			message: expect.stringMatching(
				/other\.zip!conversations\.json is not chatgpt .*; it looks like claude\. Nothing/,
			),
		});
	});

	test('B116 one wrong file among several that are named: nothing of the others is written', async () => {
		const wrongs = {
			'b.json': 'FORMAT_UNKNOWN',
			'none.json': 'PATH_MISSING',
			'c.zip': 'ARCHIVE_REFUSED',
			'd.gz': 'ARCHIVE_REFUSED',
		};
		put({'a.json': export1, 'b.json': '{"name":"x"}', 'c.zip': 'PK\x03\x04 no', 'd.gz': Buffer.from([0x1f, 0x8b, 8])});
		const store = await newStore();
		for (const [wrong, code] of Object.entries(wrongs)) {
			await expect(importInto(store, [join(root, 'a.json'), join(root, wrong)])).rejects.toMatchObject({code});
		}
		expect(await messagesOf(store)).toEqual([]);
	});

	test('B114, B116 strict: any warning, and nothing is written', async () => {
		put({'a.json': `[${JSON.stringify(conversation(chain(2)))},{"id":"x"}]`});
		const store = await newStore();
		await expect(importInto(store, [join(root, 'a.json')], {strict: true})).rejects.toMatchObject({
			code: 'IMPORT_STRICT',
		});
		expect(await messagesOf(store)).toEqual([]);
	});

	test('B113 titles without any message are no success', async () => {
		put({'a.json': [conversation([{id: 'a', message: null}])]});
		await expect(imported('a.json')).rejects.toMatchObject({
			code: 'IMPORT_EMPTY',
			message: expect.stringContaining('no_messages'),
		});
	});

	test('chat.html alone: the error says what to import in its place', async () => {
		const html = '<html><body><script>var jsonData = [{"title":"x"}];</script></body></html>';
		put({'chat.html': html, 'x/chat.html': html});
		await expect(imported('chat.html')).rejects.toMatchObject({
			code: 'FORMAT_UNKNOWN',
			message: expect.stringContaining('the zip of the export or its conversations.json, not chat.html'),
		});
		await expect(imported('x')).rejects.toMatchObject({
			code: 'IMPORT_EMPTY',
			message: expect.stringContaining('not_a_chat 1'),
		});
	});

	test.each([
		['empty', '', 'FORMAT_UNKNOWN'],
		['an empty list', '[]', 'FORMAT_UNKNOWN'],
		['B116 unrelated', '{"name":"x","version":"1.0.0"}', 'FORMAT_UNKNOWN'],
		[
			'B108 DeepSeek called a ChatGPT export',
			'[{"mapping":{"1":{"message":{"fragments":[]}}},"inserted_at":"x"}]',
			'FORMAT_MISMATCH',
		],
		['B108 Claude.ai called a ChatGPT export', '[{"uuid":"u","chat_messages":[]}]', 'FORMAT_MISMATCH'],
		['cut in its first conversation', export1.slice(0, 300), 'IMPORT_EMPTY'],
		['encrypted', makeZip([{name: 'conversations.json', content: export1, flags: 0x801}]), 'ENCRYPTED'],
		['no zip after all', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(60)]), 'ARCHIVE_REFUSED'],
		['a list of shared links', sidecars['shared_conversations.json'], 'IMPORT_EMPTY'],
	])('%s', async (_name, content, code) => {
		put({'in.json': content});
		const store = await newStore();
		const format = code === 'FORMAT_MISMATCH' ? 'chatgpt' : 'auto';
		await expect(importInto(store, [join(root, 'in.json')], {format})).rejects.toMatchObject({code});
		expect(await messagesOf(store)).toEqual([]);
	});
});

describe('the data set of the repository', () => {
	test('fernway-chatgpt: 35 conversations, 537 visible messages, 271 of the user and 266 of the assistant', async () => {
		const store = await newStore();
		const report = await importInto(store, [join(DATASETS, 'fernway-chatgpt/conversations.json')]);
		expect(report).toMatchObject({formats: {chatgpt: 1}, conversations: 35, warnings: {}, partial: false});
		expect(report.skipped).toEqual({unseen_system: 18, unseen_profile: 5, unseen_tool: 2});
		const visible = (await messagesOf(store)).filter(({is_visible}) => is_visible);
		expect(visible.length).toBe(537);
		expect(visible.filter(({role}) => role === 'user').length).toBe(271);
		expect(visible.filter(({role}) => role === 'assistant').length).toBe(266);
		expect(visible.every(({role, authorship}) => (role === 'user') === (authorship === 'human'))).toBe(true);
		const branches = (await messagesOf(store)).filter(({is_visible, text}) => !is_visible && text !== '');
		expect(branches.length).toBe(3);
		expect(await store.db.all('SELECT title FROM conversations WHERE do_not_remember')).toEqual([
			{title: 'Offer from Brindle'},
		]);
		const gold = readFileSync(join(DATASETS, 'fernway-chatgpt/gold.jsonl'), 'utf8').trim().split('\n');
		const ids = new Set(visible.map(({native_id}) => native_id));
		for (const line of gold) expect(ids.has((JSON.parse(line) as {target: string}).target)).toBe(true);
	});
});
