import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {printable, printableJson} from '../../../src/importers/printable.js';
import type {Store} from '../../../src/store/store.js';
import {importInto, memoryStore, messagesOf, rowsOf, writeFiles} from './import-run.js';

let root = '';
let stores: Store[] = [];
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'hindcast-identities-'));
});
afterEach(() => {
	for (const store of stores) store.close();
	stores = [];
	rmSync(root, {recursive: true, force: true});
});
async function imported(files: Record<string, unknown>, ...names: string[]) {
	writeFiles(root, files);
	const store = await memoryStore();
	stores.push(store);
	const reports = [];
	for (const name of names) reports.push(await importInto(store, [join(root, name)]));
	return {store, reports, rows: await rowsOf(store)};
}
const talk = (...texts: string[]) => ({
	conversations: texts.map((value, i) => ({from: i % 2 === 0 ? 'human' : 'gpt', value})),
});
const [weather, tea, long] = [talk('hi', '晴'), talk('hi', 'tea?', 'yes'), talk('hi', '晴', '明天呢', '也晴')];

describe('conversations without an id of their own and without times', () => {
	test('those that begin alike stay apart, and are the same from one file, from shards and from a folder', async () => {
		const files = {'one.json': [weather, tea], 'x/part-1.json': [weather], 'x/part-2.json': [tea]};
		const one = await imported(files, 'one.json');
		expect(one.reports[0]).toMatchObject({conversations: 2, added: 5});
		const sharded = await imported(files, 'x');
		expect(sharded.rows).toEqual(one.rows);
		expect((await imported(files, 'x/part-1.json', 'x/part-2.json')).rows).toEqual(one.rows);
	});

	test('files that overlap are joined, not doubled; what is longer adds, what is shorter takes nothing away', async () => {
		const files = {'a.json': [weather, tea], 'b.json': [tea, long], 'c.json': [talk('hi')]};
		const {store, reports} = await imported(files, 'a.json', 'b.json', 'a.json');
		expect(reports).toMatchObject([
			{added: 5, unchanged: 0},
			{added: 2, updated: 0, unchanged: 5},
			{added: 0, updated: 0},
		]);
		expect((await messagesOf(store)).length).toBe(7);
		const {rows} = await imported(files, 'b.json', 'a.json', 'c.json');
		expect(JSON.stringify(rows).match(/"message_id"/g)?.length).toBe(7);
	});

	test('the same words twice in one file are two talks, each time', async () => {
		const {reports} = await imported({'a.json': [weather, weather]}, 'a.json', 'a.json');
		expect(reports).toMatchObject([{added: 4}, {added: 0, unchanged: 4}]);
	});

	test('many that begin alike are told apart, in whatever order they come', async () => {
		const many = Array.from({length: 100}, (_, i) => talk('hi', `answer ${i}`));
		const files = {'a.json': many, 'b.json': [...many].reverse()};
		const {reports} = await imported(files, 'a.json', 'b.json');
		expect(reports).toMatchObject([{added: 200}, {added: 0, unchanged: 200}]);
	});

	test('a message with an id of its own may be edited', async () => {
		const rows = (text: string) => [
			{id: 'm1', role: 'user', content: 'hi'},
			{id: 'm2', role: 'assistant', content: text},
		];
		const {reports} = await imported(
			{'a.json': [{messages: rows('a')}], 'b.json': [{messages: rows('b')}]},
			'a.json',
			'b.json',
		);
		expect(reports).toMatchObject([{added: 2}, {added: 0, updated: 1, unchanged: 1}]);
	});
});

test('what is printed holds no character that a terminal obeys', async () => {
	expect(printable('a\u001b[2J\n\u009b\u202e你 😀')).toBe('a\\u001b[2J\\u000a\\u009b\\u202e你 😀');
	expect(printable('😀'.repeat(10), 5)).toBe('😀😀…');
	expect(printableJson({'k\u0007': ['\u007f', 1, null, {a: 'b'}]})).toEqual({
		'k\\u0007': ['\\u007f', 1, null, {a: 'b'}],
	});
	const name = 'evil\u001b[31m.json';
	const {reports} = await imported({[`x/${name}`]: [{...weather, x: 1}, {text: 'bell \u0007'}, {'k\u001b': 1}]}, 'x');
	expect(JSON.stringify(reports)).not.toMatch(/(?<!\\)\\u00/);
	expect(reports[0]?.warning_list[0]?.where).toContain('evil\\u001b[31m.json');
	await expect(imported({[name]: {'k\u001b': 1}}, name)).rejects.toMatchObject({
		message: expect.stringMatching(/^[^\p{Cc}]+$/u),
	});
});
