import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {Store} from '../../../src/store/store.js';
import {conversation, message} from '../../fixtures/importers/claude/build.js';
import {fixture, makeZip} from './helpers.js';
import {importInto, memoryStore, messagesOf, rowsOf, writeFiles} from './import-run.js';

const DATASETS = join(dirname(fileURLToPath(import.meta.url)), '../../../datasets');
const load = (name: string) => readFileSync(fixture(`claude/${name}`), 'utf8');
const chats = load('conversations.json');

let root = '';
let stores: Store[] = [];
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'hindcast-claude-'));
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
const zip = (name: string, content: string): Buffer => makeZip([{name, content}]);
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
	test('B101, B102, B103 a file, one zip, a folder, and parts each in a zip of its own give the same rows', async () => {
		put({
			'conversations.json': chats,
			'data-x-batch-0000.zip': makeZip([
				{name: 'conversations.json', content: chats},
				{name: 'users.json', content: load('users.json')},
				{name: 'projects/9e0c.json', content: load('project.json')},
				{name: 'memories.json', content: load('memories.json')},
			]),
			'folder/conversations.json': chats,
			'folder/users.json': load('users.json'),
			'conversations-000.zip': zip('conversations.json', chats),
			'projects-000.zip': zip('projects/9e0c.json', load('project.json')),
			'memories.zip': zip('memories.json', load('memories.json').trim().slice(1, -1)),
			'users.json': load('users.json'),
		});
		const single = await imported('conversations.json');
		expect(single.report).toMatchObject({formats: {claude: 1}, conversations: 3, messages: 10, warnings: {}});
		const wrappings = [
			['data-x-batch-0000.zip'],
			['folder'],
			['conversations-000.zip'],
			['users.json', 'projects-000.zip', 'memories.zip', 'conversations-000.zip'],
			['data-x-batch-0000.zip', 'conversations-000.zip'],
		];
		for (const paths of wrappings) expect((await imported(...paths)).rows, paths.join()).toEqual(single.rows);
		const {report} = await imported('users.json', 'projects-000.zip', 'memories.zip', 'conversations-000.zip');
		expect(report.skipped).toMatchObject({account_data: 1, project: 1, provider_memory: 1});
		expect(JSON.stringify(single.rows)).not.toContain('acc00000');
	});

	test('design chats beside the chats are conversations too', async () => {
		put({'x/conversations.json': chats, 'x/design_chats/de51.json': load('design.json')});
		expect((await imported('x')).report).toMatchObject({conversations: 4, messages: 14});
	});
});

describe('importing again', () => {
	const first = [
		message('a', 'human', 'A', {parent_message_uuid: 'ROOT', time: 1}),
		message('b', 'assistant', 'B', {parent_message_uuid: 'a', time: 2}),
	];

	test('B224 the same export again changes nothing', async () => {
		put({'conversations.json': chats});
		const {store, rows} = await imported('conversations.json');
		expect(await importInto(store, [join(root, 'conversations.json')])).toMatchObject({
			added: 0,
			updated: 0,
			unchanged: 10,
		});
		expect(await rowsOf(store)).toEqual(rows);
	});

	test('B224 a newer export: an edit makes the old branch invisible, ids stay, nothing is dropped', async () => {
		const edited = [
			...first,
			message('A', 'human', 'A, better', {parent_message_uuid: 'ROOT', time: 5}),
			message('B', 'assistant', 'B, better', {parent_message_uuid: 'A', time: 6}),
		];
		put({
			'old.json': [conversation(first), conversation(first, {uuid: 'deleted later'})],
			'new.json': [conversation(edited, {name: 'Renamed', updated_at: '2026-03-01T00:00:00Z'})],
		});
		const {store} = await imported('old.json');
		const before = (await messagesOf(store)).map(({message_id}) => message_id);
		expect(await importInto(store, [join(root, 'new.json')])).toMatchObject({added: 2, updated: 2, unchanged: 0});
		const after = await messagesOf(store);
		expect(before.every(id => after.some(({message_id}) => message_id === id))).toBe(true);
		expect(
			after
				.filter(({is_visible}) => is_visible)
				.map(({text}) => text)
				.sort(),
		).toEqual(['A', 'A, better', 'B', 'B, better']);
		expect(await store.db.all('SELECT title FROM conversations ORDER BY title')).toEqual([
			{title: 'A name'},
			{title: 'Renamed'},
		]);
	});
});

describe('files that are broken, or hold no chats', () => {
	test('B103 a manifest alone: the error says that it has no chats and what to fetch', async () => {
		put({'manifest-1-2026-09-10.json': load('manifest.json')});
		await expect(imported('manifest-1-2026-09-10.json')).rejects.toMatchObject({
			code: 'IMPORT_EMPTY',
			message: expect.stringMatching(/holds no chats: fetch conversations-000\.zip/),
		});
	});

	test.each([
		['memories.json', 'provider_memory 1'],
		['users.json', 'account_data 1'],
		['project.json', 'project 1'],
	])('%s alone is no chat, and the error says what it is', async (name, reason) => {
		put({[name]: load(name)});
		await expect(imported(name)).rejects.toMatchObject({
			code: 'IMPORT_EMPTY',
			message: expect.stringContaining(`Skipped: ${reason}`),
		});
	});

	test('B110 a truncated export keeps its whole conversations; with none it is refused, never read as text', async () => {
		put({'long.json': chats.slice(0, -700), 'short.json': chats.slice(0, 300)});
		const {report} = await imported('long.json');
		expect(report).toMatchObject({partial: true, warnings: {broken_json: 1}, formats: {claude: 1}});
		expect(report.conversations).toBeGreaterThan(0);
		await expect(imported('short.json')).rejects.toThrow();
	});

	test('a file that is no export, among files that are, is counted', async () => {
		put({'x/conversations.json': chats, 'x/package.json': '{"name":"x"}', 'x/empty.json': ''});
		expect((await imported('x')).report).toMatchObject({conversations: 3, skipped: {not_a_chat: 1, empty: 1}});
	});
});

describe('the data set of the repository', () => {
	test('xiaoman-claude: 38 conversations, 603 messages, 599 visible: 317 of the user, 282 of the assistant', async () => {
		const store = await newStore();
		const report = await importInto(store, [join(DATASETS, 'xiaoman-claude/conversations.json')]);
		expect(report).toMatchObject({
			formats: {claude: 1},
			conversations: 38,
			messages: 603,
			warnings: {},
			partial: false,
		});
		const visible = (await messagesOf(store)).filter(({is_visible}) => is_visible);
		expect(visible.length).toBe(599);
		expect(visible.filter(({role}) => role === 'user').length).toBe(317);
		expect(visible.filter(({role}) => role === 'assistant').length).toBe(282);
		expect(visible.every(({role, authorship}) => (role === 'user') === (authorship === 'human'))).toBe(true);
		const ids = new Set(visible.map(({native_id}) => native_id));
		const gold = readFileSync(join(DATASETS, 'xiaoman-claude/gold.jsonl'), 'utf8').trim().split('\n');
		for (const line of gold) {
			const {target, helps} = JSON.parse(line) as {target: string; helps: string[]};
			for (const id of [target, ...helps]) expect(ids.has(id)).toBe(true);
		}
	});
});
