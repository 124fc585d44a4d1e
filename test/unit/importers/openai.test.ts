import {readFile} from 'node:fs/promises';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {openai} from '../../../src/importers/openai.js';
import {layoutOf} from '../../../src/importers/prefix.js';
import {fixture, importText, ndjson} from './helpers.js';

const sniffs = (text: string): boolean => openai.sniff(layoutOf(text, true));
const run = (content: string | Uint8Array) => importText(openai, content);
const texts = (draft: {messages: readonly {text: string}[]} | undefined) => draft?.messages.map(({text}) => text);
const hello = [
	{role: 'user', content: 'hello'},
	{role: 'assistant', content: 'hi'},
];

describe('layouts', () => {
	test('a line for each conversation, with everything that a person could see', async () => {
		const {conversations, warnings} = await run(await readFile(fixture('openai/conversations.jsonl')));
		const [first, second] = conversations;
		expect(warnings).toEqual([]);
		expect(first).toMatchObject({
			native_id: 'c1',
			title: '周末去哪',
			kind: 'assistant',
			line: null,
			extra: {model: 'some-model'},
		});
		expect(first?.messages[0]).toMatchObject({
			native_id: 'm1',
			role: 'user',
			text: '周末想去爬山 🏔️,你有什么建议?',
			created_at: Date.parse('2024-03-01T00:00:00Z') * 1000,
			authorship: 'unknown',
			status: 'done',
		});
		expect(second?.messages.map(({role, is_visible}) => [role, is_visible])).toEqual([
			['system', false],
			['user', true],
			['assistant', false],
			['tool', false],
			['assistant', true],
		]);
		expect(second?.messages[1]).toMatchObject({
			text: 'What is in\nthis picture?',
			attachments: [{name: 'cat.png', type: 'image', text: null}],
		});
		expect(second?.messages[4]?.text).toBe('A cat 👩‍👩‍👧.\n```js\nconst a = `x`;\n```');
	});

	test.each([
		['an array of conversations', JSON.stringify([{messages: hello}, {messages: hello}]), 2],
		['one conversation', JSON.stringify({messages: hello}), 1],
		['a bare list of messages', JSON.stringify(hello), 1],
		['an object around a list of conversations', JSON.stringify({conversations: [{messages: hello}]}), 1],
		['a list of messages a line', ndjson(hello, hello), 2],
		['rows without a conversation', ndjson(...hello), 1],
		['one row', ndjson(hello[0]), 1],
	])('%s', async (_name, text, count) => {
		expect(sniffs(text)).toBe(true);
		const {conversations, warnings} = await run(text);
		expect(conversations.length).toBe(count);
		expect(texts(conversations[0])?.[0]).toBe('hello');
		expect(warnings).toEqual([]);
	});

	test('B410, B411 turns under "conversations", with from/value or role/content, tool turns kept as tool', async () => {
		const {conversations} = await run(
			JSON.stringify([
				{
					id: 'a',
					conversations: [
						{from: 'human', value: 'q'},
						{from: 'assistant', value: 'r'},
						{from: 'gpt', value: 's'},
					],
				},
				{
					conversations: [
						{role: 'user', content: 'q'},
						{from: 'function_call', value: '{}'},
						{from: 'observation', value: 'o'},
					],
				},
			]),
		);
		expect(conversations.map(({messages}) => messages.map(({role}) => role))).toEqual([
			['user', 'assistant', 'assistant'],
			['user', 'tool', 'tool'],
		]);
	});
});

describe('rows', () => {
	test('rows of one conversation need not be adjacent and are ordered by their times', async () => {
		const {conversations, kinds} = await run(await readFile(fixture('openai/rows.jsonl')));
		const byId = new Map(conversations.map(draft => [draft.native_id, draft]));
		expect(texts(byId.get('k2'))).toEqual(['first', 'second']);
		expect(texts(byId.get('k1'))).toEqual(['alone']);
		expect(byId.get('k2')?.messages[1]).toMatchObject({role: 'assistant', raw: {role: 'bot'}});
		expect(kinds()).toEqual(['rows_sorted_by_time']);
	});

	test('without a time for each row the order of the file stands', async () => {
		const rows = [
			{role: 'user', text: 'b', ts: 1709251205},
			{role: 'user', text: 'c'},
			{role: 'user', text: 'a', ts: 1709251200},
		];
		expect(texts((await run(ndjson(...rows))).conversations[0])).toEqual(['b', 'c', 'a']);
	});

	test('an ordinal wins over time', async () => {
		const rows = [
			{role: 'user', text: 'b', ts: 1709251200, seq: 2},
			{role: 'user', text: 'a', ts: 1709251205, seq: 1},
		];
		const {conversations, warnings} = await run(ndjson(...rows));
		expect(texts(conversations[0])).toEqual(['a', 'b']);
		expect(warnings).toEqual([]);
	});

	test('in a list of messages the order of the file wins', async () => {
		const messages = [
			{role: 'user', text: 'b', ts: 1709251205},
			{role: 'user', text: 'a', ts: 1709251200},
		];
		for (const text of [JSON.stringify({messages}), JSON.stringify(messages)]) {
			expect(texts((await run(text)).conversations[0])).toEqual(['b', 'a']);
		}
	});

	test('any order of timed rows gives the same conversations', async () => {
		const rows = Array.from({length: 12}, (_, n) => ({
			thread_id: `t${n % 3}`,
			role: n % 2 ? 'assistant' : 'user',
			text: `text ${n}`,
			created_at: `2024-01-01T00:00:${String(n).padStart(2, '0')}Z`,
		}));
		const shape = async (text: string) => {
			const {conversations} = await run(text);
			return conversations.map(draft => [draft.native_id, texts(draft)]).sort();
		};
		const expected = await shape(ndjson(...rows));
		await fc.assert(
			fc.asyncProperty(fc.shuffledSubarray(rows, {minLength: rows.length}), async shuffled => {
				expect(await shape(ndjson(...shuffled))).toEqual(expected);
			}),
			{seed: 11, numRuns: 30},
		);
	});

	test('rows among conversations are grouped too', async () => {
		const {conversations} = await run(
			ndjson(
				{messages: hello},
				{chat_id: 1, role: 'user', text: 'x'},
				{messages: hello},
				{chat_id: 1, role: 'ai', text: 'y'},
			),
		);
		expect(conversations.map(texts)).toEqual([
			['hello', 'hi'],
			['hello', 'hi'],
			['x', 'y'],
		]);
	});
});

describe('fields', () => {
	const one = async (message: object, envelope: object = {}) => {
		const result = await run(JSON.stringify({...envelope, messages: [message, {role: 'assistant', content: 'ok'}]}));
		return {...result, message: result.conversations[0]?.messages[0]};
	};

	test.each([
		['role', 'developer', 'system'],
		['author', 'human', 'user'],
		['sender', 'AI', 'assistant'],
		['from', 'model', 'assistant'],
		['type', 'function', 'tool'],
		['role', 'memory', 'user'],
		['role', ' Bot ', 'assistant'],
	])('%s: %s is %s, and raw keeps the original', async (key, value, role) => {
		const {message} = await one({[key]: value, text: 'x'});
		expect(message).toMatchObject({role, raw: {[key]: value}});
	});

	test.each(['text', 'content', 'message', 'value', 'body'])('text under %s', async key => {
		expect((await one({role: 'user', [key]: ' kept\tas it is\u3000'})).message?.text).toBe(' kept\tas it is\u3000');
	});

	test.each([
		['created_at', '2024-01-02T03:04:05Z'],
		['createdAt', '2024-01-02T03:04:05.000Z'],
		['timestamp', 1704164645],
		['time', '1704164645000'],
		['date', '2024-01-02 03:04:05'],
		['create_time', 1704164645.0],
		['ts', 1704164645000],
	])('B509 time under %s, also in metadata', async (key, value) => {
		const at = Date.parse('2024-01-02T03:04:05Z') * 1000;
		expect((await one({role: 'user', text: 'x', [key]: value})).message?.created_at).toBe(at);
		expect((await one({role: 'user', text: 'x', metadata: {[key]: value}})).message?.created_at).toBe(at);
	});

	test('a time that cannot be read is missing and warned about, never invented', async () => {
		const {message, kinds} = await one({role: 'user', text: 'x', time: 'yesterday'});
		expect(message?.created_at).toBeNull();
		expect(kinds()).toEqual(['bad_time']);
	});

	test('ids, parents and names', async () => {
		const {message} = await one({uuid: 'u', parent: 'p', author: {role: 'user', name: 'Ana'}, content: 'x'});
		expect(message).toMatchObject({native_id: 'u', parent_native_id: 'p', speaker: 'Ana', role: 'user'});
		expect((await one({role: 'user', sender: 'Bo', message_id: 7, text: 'x'})).message).toMatchObject({
			native_id: '7',
			speaker: 'Bo',
		});
	});

	test('B420, B421 content parts are text, attachments or nothing, never a representation of the program', async () => {
		const {message, kinds} = await one({
			role: 'user',
			content: [
				'plain',
				{type: 'input_text', text: 'typed'},
				{type: 'text', text: {value: 'wrapped', annotations: []}},
				{type: 'thinking', thinking: 'secret'},
				{type: 'tool_use', input: {}},
				{type: 'input_audio', input_audio: {data: 'AAAA', format: 'wav'}},
				{type: 'image_url', image_url: 'data:image/png;base64,AAAA'},
				{type: 'file', file: {filename: 'notes.pdf'}},
				{type: 'hologram', data: 1},
				42,
			],
		});
		expect(message?.text).toBe('plain\ntyped\nwrapped');
		expect(message?.attachments).toEqual([
			{name: null, type: 'audio', text: null},
			{name: null, type: 'image', text: null},
			{name: 'notes.pdf', type: 'file', text: null},
		]);
		expect(kinds()).toEqual(['unknown_part', 'unknown_part']);
		expect(JSON.stringify(message?.text)).not.toMatch(/object|\[/);
	});

	test('null with tool calls is a message that is not seen; B120 no content at all is counted', async () => {
		const {conversations, skips, kinds} = await run(
			JSON.stringify({
				messages: [
					{role: 'user', content: 'q'},
					{role: 'assistant', content: null, function_call: {name: 'f', arguments: '{}'}},
					{role: 'assistant', tool_calls: [{id: '1'}]},
					{role: 'assistant', content: ''},
					{role: 'assistant'},
					{role: 'assistant', content: 5},
				],
			}),
		);
		expect(conversations[0]?.messages.map(({text, is_visible}) => [text, is_visible])).toEqual([
			['q', true],
			['', false],
			['', false],
			['', false],
		]);
		expect(skips).toEqual(['no_content']);
		expect(kinds()).toEqual(['unknown_content']);
	});

	test('authorship is unknown unless the record says it', async () => {
		expect((await one({role: 'user', text: 'x'})).message?.authorship).toBe('unknown');
		expect((await one({role: 'user', text: 'x', authorship: 'human'})).message?.authorship).toBe('human');
		expect((await one({role: 'user', text: 'x', authorship: 'robot'})).message?.authorship).toBe('unknown');
	});

	test('names alone do not make a chat of people; the data has to say so', async () => {
		const named = {role: 'user', name: 'Ana', text: 'x'};
		expect((await one(named)).conversations[0]?.kind).toBe('assistant');
		const {conversations} = await run(
			JSON.stringify({
				kind: 'people',
				messages: [
					{from: 'Ana', text: 'x'},
					{from: 'Bo', text: 'y'},
				],
			}),
		);
		expect(conversations[0]).toMatchObject({
			kind: 'people',
			messages: [
				{role: 'user', speaker: 'Ana'},
				{role: 'user', speaker: 'Bo'},
			],
		});
	});

	test('an unknown role is warned about, never guessed from its place', async () => {
		const {conversations, warnings} = await run(
			JSON.stringify({messages: [...hello, {role: 'narrator', content: 'x'}, 'odd']}),
		);
		expect(texts(conversations[0])).toEqual(['hello', 'hi']);
		expect(warnings).toMatchObject([{kind: 'unknown_role', detail: 'narrator'}, {kind: 'unknown_record'}]);
	});

	test('the mark that a conversation is not to be remembered is kept', async () => {
		expect((await one({role: 'user', text: 'x'}, {do_not_remember: true})).conversations[0]?.do_not_remember).toBe(
			true,
		);
	});
});

describe('what is odd', () => {
	test('B301, B302 other lines are warned about with their place, the rest is imported', async () => {
		const text = `${ndjson({messages: hello})}\n{"messages":[{"ro\n{"meta":1}\n${ndjson({messages: hello})}`;
		const {conversations, warnings} = await run(text);
		expect(conversations.length).toBe(2);
		expect(warnings).toMatchObject([
			{kind: 'broken_line', where: 'memory.json:2:18'},
			{kind: 'unknown_record', where: 'memory.json:3:1', detail: 'members meta'},
		]);
	});

	test('B221 empty conversations are legal with an id and counted without one', async () => {
		const {conversations, skips} = await run(
			JSON.stringify([{messages: hello}, {id: 'e', messages: []}, {messages: []}]),
		);
		expect(conversations.map(({messages}) => messages.length)).toEqual([2, 0]);
		expect(skips).toEqual(['empty_conversation']);
	});

	test.each([
		['B116 a list of other things', '[{"id":1,"name":"x"},{"id":2}]'],
		['B116 settings', '{"type":"module","name":"x","messages":{}}'],
		['messages that are none', '{"messages":[{"id":1}]}'],
		['B108 Claude.ai', '[{"uuid":"u","chat_messages":[{"sender":"human","text":"x"}]}]'],
		['B101 ChatGPT', '[{"mapping":{"a":{"message":{"author":{"role":"user"},"content":{"parts":["x"]}}}}}]'],
		['LibreChat', '{"conversationId":"c","messages":[{"sender":"User","text":"x"}],"recursive":true}'],
		['text', '# hello'],
	])('%s is not taken', (_name, text) => {
		expect(sniffs(text)).toBe(false);
	});
});
