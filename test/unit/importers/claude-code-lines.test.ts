import {readFileSync} from 'node:fs';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {HindcastError} from '../../../src/errors.js';
import {claudeCode} from '../../../src/importers/claude-code.js';
import {withoutBase64} from '../../../src/importers/claude-code-line.js';
import type {ConversationDraft} from '../../../src/importers/port.js';
import {layoutOf} from '../../../src/importers/prefix.js';
import {importers} from '../../../src/importers/registry.js';
import {detect} from '../../../src/importers/sniff.js';
import {assistant, damageOf, finish, line, run, seen, talk, user} from '../../fixtures/importers/claude-code/build.js';
import {fixture, importText, ndjson} from './helpers.js';

const load = (name: string): Buffer => readFileSync(fixture(`claude-code/${name}`));

describe('damage to lines', () => {
	const bad = {
		'B301 a cut line in the midst': '{"type":"last-prompt","lastPrompt":"so',
		'B302 half an object': '{"type":"user"',
		'B302 JSON of another shape': '[1,2]',
		'B302 a text': '"x"',
		'B325 unescaped text': 'Error: "x" {',
	};
	test.each(Object.entries(bad))('%s costs that line, and the warning has its number', async (_name, text) => {
		const content = [ndjson(talk[0]), text, '', ndjson(talk[1])].join('\n');
		const {conversations, warnings} = await importText(claudeCode, content);
		expect(seen(conversations[0])).toEqual(['user hello', 'assistant hi']);
		expect(warnings.map(({where}) => where)).toEqual([expect.stringMatching(/^memory\.json:2:/)]);
	});

	test('B303 NUL bytes before, in and between lines are taken out and told', async () => {
		const nul = '\0'.repeat(40);
		const content = `${nul}${ndjson(talk[0])}\n${nul}\n${ndjson(talk[1]).replace('hi', `h${nul}i`)}\n${nul}`;
		const {conversations, kinds} = await importText(claudeCode, content);
		expect(seen(conversations[0])).toEqual(['user hello', 'assistant hi']);
		expect(new Set(kinds())).toEqual(new Set(['nul_removed']));
		expect(JSON.stringify(conversations)).not.toContain('\\u0000');
		const escaped = await importText(claudeCode, ndjson(user('u1', 'a\0b')));
		expect(finish(escaped.conversations[0] as ConversationDraft).messages[0]?.text).toBe('ab');
	});

	test('B305 a line of megabytes is read; of an image its length and sum stay', async () => {
		const data = 'iVBORw0KGgoAAAANSUhEUg'.repeat(60_000);
		const image = {type: 'image', source: {type: 'base64', media_type: 'image/png', data}};
		const result = {tool_use_id: 't', type: 'tool_result', content: [image]};
		const records = [user('u1', [{type: 'text', text: '看图'}, image]), user('r1', [result], {parent: 'u1'}), talk[1]];
		const {messages, warnings} = await run(...records);
		expect(warnings).toEqual([]);
		expect(messages[0]).toMatchObject({text: '看图', attachments: [{name: null, type: 'image/png', text: null}]});
		expect(messages[1]).toMatchObject({role: 'tool', text: ''});
		expect(JSON.stringify(messages).length).toBeLessThan(5000);
		expect(JSON.stringify(messages[0]?.raw)).toMatch(/base64 left out: 1320000 characters, sha256 [0-9a-f]{64}/);
	});

	test('base64 goes only where it is data; texts and short data stay, and an untouched value is no copy', () => {
		const text = 'a'.repeat(2000);
		const value = {text, data: 'aaaa', message: [{url: 'https://x.org'}]};
		expect(withoutBase64(value)).toBe(value);
		expect(withoutBase64({data: [text]})).toEqual({data: [expect.stringContaining('2000 characters')]});
		expect(withoutBase64({data: `${text} and words`})).toEqual({data: `${text} and words`});
	});

	test('B306, B307 lone surrogates in a tool’s input or output become U+FFFD, their neighbours stay', async () => {
		const input = {file: '앞\ud99c뒤', list: ['가\ud82d', {'k\ud83d': 'ok 🦜'}]};
		const {conversations} = await run(
			user('u1', 'cut \ud83d'),
			assistant('a1', [{type: 'tool_use', id: 't', name: 'x', input}], {parent: 'u1'}),
			user('r1', [{tool_use_id: 't', type: 'tool_result', content: 'out \ude00'}], {parent: 'a1'}),
		);
		const {messages, warnings} = finish(conversations[0] as ConversationDraft);
		const text = JSON.stringify(messages);
		expect(Buffer.from(text).toString()).toBe(text);
		expect(text).not.toMatch(/\\ud[89a-f]/i);
		expect(messages[0]?.text).toBe('cut \uFFFD');
		expect(messages[1]?.raw).toMatchObject({
			message: {content: [{input: {file: '앞\uFFFD뒤', list: ['가\uFFFD', {'k\uFFFD': 'ok 🦜'}]}}]},
		});
		expect(new Set(warnings.map(({kind}) => kind))).toEqual(new Set(['lone_surrogate']));
	});

	test.each([
		['uuid', 3],
		['parentUuid', {}],
		['timestamp', 'yesterday'],
		['isSidechain', 'no'],
		['cwd', 7],
		['gitBranch', null],
		['version', []],
		['toolUseResult', 4],
		['attachment', 'x'],
		['origin', true],
		['imagePasteIds', 'x'],
		['logicalParentUuid', 5],
	])('B319 a %s of an unexpected type costs nothing but itself', async (key, value) => {
		const {conversations, kinds} = await run({...(talk[0] as object), [key]: value}, talk[1]);
		expect(seen(conversations[0])).toEqual(['user hello', 'assistant hi']);
		expect(kinds().filter(kind => kind !== 'bad_time' && kind !== 'dangling_parent')).toEqual([]);
	});

	test('B117 a BOM before the first line', async () => {
		const content = `\uFEFF${ndjson(...talk)}`;
		expect(detect(layoutOf(content, true), importers)?.id).toBe('claude-code');
		const {conversations, warnings} = await importText(claudeCode, content);
		expect(seen(conversations[0])).toEqual(['user hello', 'assistant hi']);
		expect(warnings).toEqual([]);
	});
});

describe('lines that come again', () => {
	test('B308 the first message twice with one uuid and system lines between', async () => {
		const {conversations, skips} = await run(
			talk[0],
			line('system', 's1', {parent: 'u1', subtype: 'hook', at: 1}),
			talk[0],
			talk[1],
		);
		expect(seen(conversations[0])).toEqual(['user hello', 'assistant hi']);
		expect(skips).toEqual(['duplicate_line']);
		expect(finish(conversations[0] as ConversationDraft).warnings).toEqual([]);
	});

	test('B309 a compact_boundary with the uuid of an earlier line: the first one is kept', async () => {
		const {conversations, messages} = await run(
			...talk,
			line('system', 'u1', {subtype: 'compact_boundary', logicalParentUuid: 'a1'}),
			user('u2', 'and then', {parent: 'u1', at: 5}),
		);
		expect(messages.map(({native_id}) => native_id)).toEqual(['u1', 'msg-a1', 'u2']);
		expect(seen(conversations[0])).toContain('user hello');
	});

	test('B312 compaction that writes all the old lines again adds nothing', async () => {
		const old = Array.from({length: 200}, (_, i) =>
			i % 2 === 0
				? user(`x${i}`, `问题 ${i}`, {at: i, parent: i === 0 ? null : `x${i - 1}`})
				: assistant(`x${i}`, `答案 ${i}`, {at: i, parent: `x${i - 1}`}),
		);
		const boundary = line('system', 'c1', {subtype: 'compact_boundary', logicalParentUuid: 'x199', at: 300});
		const after = user('n1', '继续', {parent: 'x199', at: 301});
		const {messages, conversations, skips} = await run(...old, boundary, ...old, ...old, after);
		expect(messages.length).toBe(202);
		expect(seen(conversations[0])?.length).toBe(201);
		expect(skips.filter(reason => reason === 'duplicate_line').length).toBe(400);
	});

	test('B314 lines and snapshots of one reply become one message: every block once, last content, first time', async () => {
		const tool = {type: 'tool_use', id: 't1', name: 'Bash', input: {command: 'ls'}};
		const {messages, conversations} = await run(
			user('u1', 'go', {at: 0}),
			assistant('a1', 'Let me', {at: 1, parent: 'u1', mid: 'm'}),
			assistant('a2', 'Let me look.', {at: 2, parent: 'a1', mid: 'm'}),
			assistant('a3', [{type: 'text', text: 'Let me look.'}, tool], {at: 3, parent: 'a2', mid: 'm'}),
			user('r1', [{type: 'tool_result', tool_use_id: 't1', content: 'x'}], {at: 4, parent: 'a3'}),
			assistant('a4', '顺便说一句。', {at: 90_000, parent: 'r1', mid: 'm'}),
			assistant('a5', 'Done.', {at: 90_001, parent: 'a4', mid: 'n'}),
		);
		expect(messages.map(({native_id}) => native_id)).toEqual(['u1', 'm', 'r1', 'n']);
		expect(messages[1]?.text).toBe('Let me look.\n\n顺便说一句。');
		expect(messages[1]?.created_at).toBe(Date.parse('2026-03-14T09:00:01Z') * 1000);
		expect(JSON.stringify(messages[1]?.raw)).toContain('"name":"Bash"');
		expect(seen(conversations[0])?.length).toBe(3);
	});

	test('B314 a line that is written again with more keeps its time', async () => {
		const {messages} = await run(
			talk[0],
			assistant('a1', 'a', {at: 2, parent: 'u1', mid: 'm'}),
			assistant('a1', 'rewritten', {at: 9, parent: 'u1', mid: 'm'}),
		);
		expect(messages[1]).toMatchObject({text: 'rewritten', created_at: Date.parse('2026-03-14T09:00:02Z') * 1000});
	});

	test('B315 a request id that is missing on some lines plays no part', async () => {
		const {messages} = await run(
			talk[0],
			assistant('a1', 'one', {parent: 'u1', mid: 'm', requestId: 'r'}),
			assistant('a2', 'two', {parent: 'a1', mid: 'm'}),
			assistant('a3', 'three', {parent: 'a2', mid: 'o', requestId: 'r'}),
		);
		expect(messages.map(({text}) => text)).toEqual(['hello', 'one\n\ntwo', 'three']);
	});

	test('two blocks of one line are two, even when they begin alike', async () => {
		const blocks = ['I', 'I see'].map(text => ({type: 'text', text}));
		expect((await run(talk[0], assistant('a1', blocks, {parent: 'u1'}))).messages[1]?.text).toBe('I\n\nI see');
	});

	test('B317 the same words at the same time under other ids were said once', async () => {
		const copy = [user('v1', 'hello', {at: 1}), assistant('b1', 'hi', {at: 2, parent: 'v1', mid: 'other'})];
		const {conversations, skips} = await run(...talk, ...copy, user('u2', '再见', {at: 3, parent: 'b1'}));
		expect(seen(conversations[0])).toEqual(['user hello', 'assistant hi', 'user 再见']);
		expect(skips).toEqual(['duplicate_message', 'duplicate_message']);
		expect(conversations[0]?.messages[2]?.parent_native_id).toBe('msg-a1');
		const later = await run(...talk, user('u2', 'hello', {at: 3, parent: 'a1'}));
		expect(seen(later.conversations[0])?.length).toBe(3);
	});
});

test('damage anywhere: nothing is thrown, and every message before it stays', async () => {
	const content = load('session.jsonl');
	const whole = (await importText(claudeCode, content)).conversations[0]?.messages ?? [];
	const ids = new Set(whole.map(({native_id}) => native_id));
	/** Ids of the messages that the complete lines before a byte tell. */
	const before = (at: number): (string | null)[] => {
		const lines = content.subarray(0, at).toString().split('\n').slice(0, -1);
		const records = lines.map(text => JSON.parse(text) as {uuid?: string; message?: {id?: string}});
		return records.map(({uuid, message}) => message?.id ?? uuid ?? null).filter(id => ids.has(id));
	};
	await fc.assert(
		fc.asyncProperty(damageOf(content), async ({at, bytes}) => {
			const {conversations} = await importText(claudeCode, bytes).catch(error => {
				expect(error).toBeInstanceOf(HindcastError);
				return {conversations: []};
			});
			const found = new Map(
				conversations.flatMap(({messages}) => messages).map(({native_id, role}) => [native_id, role]),
			);
			for (const id of before(at)) expect(found.has(id), `${id}`).toBe(true);
			for (const draft of conversations) finish(draft);
		}),
		{seed: 20_260_314, numRuns: 80},
	);
});
