import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {Store} from '../../../src/store/store.js';
import {assistant, line, user} from '../../fixtures/importers/claude-code/build.js';
import {fixture, ndjson} from './helpers.js';
import {importInto, memoryStore, messagesOf, writeFiles} from './import-run.js';

const load = (name: string) => readFileSync(fixture(`claude-code/${name}`), 'utf8');

let root = '';
let store: Store;
beforeEach(async () => {
	root = mkdtempSync(join(tmpdir(), 'hindcast-claude-code-'));
	store = await memoryStore();
});
afterEach(() => {
	store.close();
	rmSync(root, {recursive: true, force: true});
});
const put = (files: Record<string, unknown>): string => writeFiles(root, files);
const bring = (...names: string[]) =>
	importInto(
		store,
		names.map(name => join(root, name)),
	);
const talk = [user('u1', 'hello', {at: 1}), assistant('a1', 'hi', {at: 2, parent: 'u1'})];

test('B304 malformed lines are counted beside what was loaded', async () => {
	put({'a.jsonl': [ndjson(talk[0]), '{"half', '\u0000\u0000', 'text', ndjson(talk[1]), '{"type":"us'].join('\n')});
	const report = await bring('a.jsonl');
	expect(report).toMatchObject({conversations: 1, messages: 2, by_role: {user: 1, assistant: 1}});
	expect(report.warnings).toMatchObject({broken_line: 3});
	expect(report.warning_list.map(({where}) => where)).toContainEqual(expect.stringMatching(/a\.jsonl:4:/));
});

test('B316 a folder of projects: transcripts only; results, settings, notes and an index beside them are no chats', async () => {
	put({
		'projects/-home-mira/5b1f0a52.jsonl': load('session.jsonl'),
		'projects/-home-mira/5b1f0a52/subagents/workflows/w1/agent-a1b2c3d.jsonl': load('agent-a1b2c3d.jsonl'),
		'projects/-home-mira/5b1f0a52/tool-results/toolu_01.txt': `total 12\n${'-rw-r--r-- 1 mira 你好\n'.repeat(2000)}`,
		'projects/-home-mira/5b1f0a52/subagents/agent-a1b2c3d.meta.json': {agentType: 'Explore', description: 'x'},
		'projects/-home-mira/memory/MEMORY.md': '# Memory\n\n- User: likes tea\n- Assistant: uses pnpm\n',
		'projects/-home-mira/sessions-index.json': {version: 1, entries: [{sessionId: '5b1f0a52', firstPrompt: 'x'}]},
		'projects/-home-mira/README.md': '# echo\n\nRun `npm test`.\n\n## User\n\nguide\n',
	});
	const report = await bring('projects');
	expect(report).toMatchObject({formats: {'claude-code': 2}, conversations: 2, warnings: {}});
	expect(report.skipped).toMatchObject({not_a_chat: 5});
	expect(report.by_role.user).toBeGreaterThan(5);
});

test('B312, B317 a longer copy of the session adds what is new; the same file adds nothing', async () => {
	const more = [user('u2', '再见 👋', {at: 3, parent: 'a1'}), assistant('a2', 'bye', {at: 4, parent: 'u2'})];
	const boundary = line('system', 'c1', {subtype: 'compact_boundary', logicalParentUuid: 'a2', at: 5});
	put({'a.jsonl': ndjson(...talk), 'b.jsonl': ndjson(...talk, ...more, boundary, ...talk, ...more)});
	expect(await bring('a.jsonl')).toMatchObject({added: 2, messages: 2});
	expect(await bring('b.jsonl')).toMatchObject({added: 3, updated: 0, unchanged: 2});
	expect(await bring('b.jsonl')).toMatchObject({added: 0, updated: 0, unchanged: 5});
	expect(await bring('a.jsonl')).toMatchObject({added: 0, updated: 0, unchanged: 5});
	expect((await messagesOf(store)).map(({text}) => text)).toEqual(['hello', 'hi', '再见 👋', 'bye', '']);
});

test('a file without a line of a session: an error when it is named, passed over in a folder', async () => {
	const sidecars = ndjson(
		{type: 'mode', mode: 'normal', sessionId: 's'},
		{type: 'summary', summary: 'x', leafUuid: 'y'},
	);
	put({'x/only.jsonl': sidecars, 'x/talk.jsonl': ndjson(...talk)});
	expect(await bring('x')).toMatchObject({conversations: 1, skipped: {no_session_lines: 1}});
	await expect(bring('x/only.jsonl')).rejects.toMatchObject({code: 'IMPORT_EMPTY'});
});

test('B306 what comes out of the store is valid text', async () => {
	put({'a.jsonl': ndjson(user('u1', 'x \ud83d', {cwd: '/\udc00'}), talk[1])});
	const report = await bring('a.jsonl');
	expect(report.warnings).toMatchObject({lone_surrogate: expect.any(Number)});
	const rows = JSON.stringify(await messagesOf(store));
	expect(rows).not.toMatch(/\\ud[89a-f]/i);
	expect(rows).toContain('x \uFFFD');
});
