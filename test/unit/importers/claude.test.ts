import {readFile} from 'node:fs/promises';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {claude} from '../../../src/importers/claude.js';
import {finishConversation} from '../../../src/importers/finish.js';
import type {ConversationDraft} from '../../../src/importers/port.js';
import {layoutOf} from '../../../src/importers/prefix.js';
import {importers} from '../../../src/importers/registry.js';
import {detect} from '../../../src/importers/sniff.js';
import {conversation, message} from '../../fixtures/importers/claude/build.js';
import {fixture, importText, ndjson} from './helpers.js';

const sniffs = (text: string): boolean => claude.sniff(layoutOf(text, true));
const run = (value: unknown) => importText(claude, typeof value === 'string' ? value : JSON.stringify(value));
const example = () => readFile(fixture('claude/conversations.json'), 'utf8');
/** Visible lines as `role text`. */
const seen = (draft: ConversationDraft | undefined) =>
	draft?.messages.filter(({is_visible}) => is_visible).map(({role, text}) => `${role} ${text}`);
const hello = [message('a', 'human', 'hello', {time: 1}), message('b', 'assistant', 'hi', {time: 2})];
const oldStyle = {
	uuid: 'conv-1',
	name: '',
	messages: [
		{uuid: 'a', role: 'human', content: 'hello'},
		{uuid: 'b', role: 'assistant', content: [{type: 'text', text: 'hi'}]},
	],
};
const one = async (...messages: unknown[]) => {
	const result = await run([conversation(messages)]);
	return {...result, messages: result.conversations[0]?.messages ?? []};
};

describe('an official export', () => {
	test('B217 text is what the text blocks say; thinking, tools and stand-ins stay in raw', async () => {
		const {conversations, kinds} = await run(await example());
		const [first] = conversations;
		expect(kinds()).toEqual([]);
		expect(first).toMatchObject({
			native_id: '7d3f0000-0000-4000-8000-000000000001',
			title: '咖啡豆比价',
			created_at: 1_770_081_125_115_821,
			kind: 'assistant',
			line: null,
			do_not_remember: false,
			extra: {project: {name: '家里的账'}, summary: expect.stringContaining('compares prices')},
		});
		expect(first?.extra).not.toHaveProperty('account');
		const [, reply] = first?.messages ?? [];
		expect(reply).toMatchObject({role: 'assistant', speaker: 'Claude', authorship: 'unknown', status: 'done'});
		expect(reply?.text).toMatch(/^可以,按你说的三家比一下:\n\n\| 店 [\s\S]*老周最便宜。\n\n要我顺便算算十公斤吗\?$/);
		expect(JSON.stringify(reply?.raw)).toContain('先算总价');
	});

	test('B215 edits and retries are branches: the newest leaf is the visible end, the rest is kept and marked', async () => {
		const [first] = (await run(await example())).conversations;
		expect(first?.messages.map(({native_id, is_visible}) => [native_id?.slice(-1), is_visible])).toEqual([
			['1', true],
			['2', true],
			['3', false],
			['4', false],
			['5', true],
			['6', true],
			['7', true],
		]);
		expect(first?.messages.map(({parent_native_id}) => parent_native_id?.slice(-1) ?? null)).toEqual([
			null,
			'1',
			'2',
			'3',
			'2',
			'5',
			'6',
		]);
		expect(first?.messages[3]?.text).toBe('十公斤:江边 405 元最便宜。');
	});

	test('a voice note is the words of the user', async () => {
		const [first] = (await run(await example())).conversations;
		expect(first?.messages[6]).toMatchObject({role: 'user', text: '那就江边吧,谢谢。', authorship: 'human'});
	});

	test('B219 attachments carry their text, apart from the words; files have a name', async () => {
		const [first] = (await run(await example())).conversations;
		expect(first?.messages[0]).toMatchObject({
			text: '我想买五公斤豆子,帮我看看这张价目表 ☕️',
			attachments: [
				{name: '价目表.txt', type: 'txt', text: expect.stringMatching(/^山脚 42 元.*\n/)},
				{name: 'IMG_2041.jpeg', type: null, text: null},
			],
		});
	});

	test('B221 two of the user in a row, an empty name and a conversation without messages are legal', async () => {
		const [, old, empty] = (await run(await example())).conversations;
		expect(old?.messages.map(({role}) => role)).toEqual(['user', 'user', 'assistant']);
		expect(old).toMatchObject({
			title: null,
			extra: {title_derived: 'Two cron jobs write the same file. How do I keep them apart?'},
		});
		expect(old?.messages.every(({is_visible}) => is_visible)).toBe(true);
		expect(empty).toMatchObject({native_id: '7d3f0000-0000-4000-8000-000000000003', messages: [], extra: null});
		expect((await run([{uuid: 1, chat_messages: []}])).skips).toEqual(['empty_conversation']);
	});
});

describe('layouts', () => {
	test.each([
		['B101 a bare array', [conversation(hello)]],
		['B102 an array without any file beside it', [conversation(hello, {account: undefined})]],
		['one conversation', conversation(hello)],
		['an object around a list', {conversations: [conversation(hello)]}],
		['a conversation a line', ndjson(conversation(hello), conversation([], {uuid: 'e'}))],
		['B220 role and content in messages', [oldStyle]],
		['B220 role and text in chat_messages', [conversation([{uuid: 'a', role: 'user', text: 'hello'}, hello[1]])]],
	])('%s', async (_name, value) => {
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		expect(detect(layoutOf(text, true), importers)?.id).toBe('claude');
		const {conversations, warnings} = await run(text);
		expect(warnings).toEqual([]);
		expect(seen(conversations[0])).toEqual(['user hello', 'assistant hi']);
		expect(conversations[0]?.messages[0]).toMatchObject({native_id: 'a', authorship: 'human', speaker: null});
	});

	test('B216 API-style: the text is in the blocks, and the named leaf is the end', async () => {
		const api = (uuid: string, sender: string, text: string, parent: string, index: number) =>
			message(uuid, sender, '', {content: [{type: 'text', text}], parent_message_uuid: parent, index, time: index});
		const messages = [
			api('a', 'human', '你好', 'ROOT', 0),
			api('b', 'assistant', '在。', 'a', 1),
			api('c', 'assistant', '我在。', 'a', 2),
		];
		const {conversations, warnings} = await run({
			...conversation(messages),
			current_leaf_message_uuid: 'b',
			settings: {},
		});
		expect(warnings).toEqual([]);
		expect(seen(conversations[0])).toEqual(['user 你好', 'assistant 在。']);
	});

	test('B216 a chat in which the user says nothing is suspicious', async () => {
		const {kinds} = await one(message('a', 'human', '', {content: []}), message('b', 'assistant', 'hi'));
		expect(kinds()).toEqual(['no_user_text']);
	});

	test('an API-style chat without parents is in the order of its index', async () => {
		const {messages} = await one({...hello[1], index: 1}, {...hello[0], index: 0});
		expect(messages.map(({native_id}) => native_id)).toEqual(['a', 'b']);
	});

	test('B112 a Claude.ai file is never taken for rows of our own kind', () => {
		const text = JSON.stringify([conversation(hello)]);
		const takers = importers.filter(importer => importer.sniff(layoutOf(text, true))).map(({id}) => id);
		expect(takers).toEqual(['claude']);
	});

	test.each([
		['messages of no product', '[{"messages":[{"role":"user","content":"x"}]}]'],
		['a ChatGPT export', '[{"mapping":{}}]'],
		['B116 something else', '[{"uuid":"u","name":"n"}]'],
		['text', '# hello'],
	])('%s is not taken', (_name, text) => {
		expect(sniffs(text)).toBe(false);
	});
});

describe('text', () => {
	test('B217 what the user typed in old files is in `text`; a reply of tools alone has none', async () => {
		const {messages, skips} = await one(
			message('a', 'human', 'typed', {content: []}),
			message('b', 'assistant', 'thinking…', {
				content: [
					{type: 'thinking', thinking: 'hm'},
					{type: 'tool_use', input: {}},
				],
			}),
			message('c', 'assistant', '', {content: []}),
		);
		expect(messages.map(({text, is_visible}) => [text, is_visible])).toEqual([
			['typed', true],
			['', false],
			['', false],
		]);
		expect(skips).toEqual(['unseen_tool', 'unseen_empty']);
	});

	test('B102, B218 an unknown block costs nothing but itself; an injected prompt is no word of the user', async () => {
		const blocks = [
			{type: 'injected_prompt_block', text: 'Be nice.'},
			{type: 'text', text: 'mine', citations: [{uuid: 'x', start_index: 0, end_index: 2}]},
			{type: 'hologram', text: 'new'},
			null,
		];
		const {messages, warnings} = await one(message('a', 'human', '', {content: blocks}));
		expect(messages).toMatchObject([{text: 'mine', is_visible: true, raw: {content: blocks}}]);
		expect(warnings).toMatchObject([
			{kind: 'unknown_part', where: 'memory.json:1:2 message 0', detail: 'hologram'},
			{kind: 'unknown_part', detail: 'no type'},
		]);
	});

	test('thinking that is written into the text is taken out, artifacts stay', async () => {
		const {messages} = await one(
			message('a', 'assistant', 'A<antThinking>hm\n</antThinking>B <antArtifact id="x">code</antArtifact>'),
			message('b', 'human', 'what is <antThinking>x</antThinking>?'),
		);
		expect(messages.map(({text}) => text)).toEqual([
			'AB <antArtifact id="x">code</antArtifact>',
			'what is <antThinking>x</antThinking>?',
		]);
	});

	test('who wrote it: programs are marked, and a program before a person leaves it open', async () => {
		const {messages} = await one(
			message('a', 'human', '<system-reminder>x</system-reminder>'),
			message('b', 'human', '<relevant-memories>x</relevant-memories>\nand you?'),
			message('c', 'human', 'and you?'),
		);
		expect(messages.map(({authorship, is_visible}) => [authorship, is_visible])).toEqual([
			['injected', false],
			['unknown', true],
			['human', true],
		]);
	});

	test('a message with an attachment alone is visible', async () => {
		const {messages} = await one(
			message('a', 'human', '', {attachments: [{file_name: '', file_type: '', extracted_content: 'pasted'}]}),
		);
		expect(messages).toMatchObject([{is_visible: true, attachments: [{name: null, type: null, text: 'pasted'}]}]);
	});

	test('files are listed once though two lists name them', async () => {
		const {messages} = await one(
			message('a', 'human', 'x', {
				files: [{file_uuid: 'f', file_name: 'a.png'}],
				files_v2: [{file_uuid: 'f', file_name: 'a.png', file_kind: 'image'}],
			}),
		);
		expect(messages[0]?.attachments).toEqual([{name: 'a.png', type: 'image', text: null}]);
	});

	test('a reply that the user stopped is marked', async () => {
		expect((await one(message('a', 'assistant', 'wel', {stop_reason: 'user_canceled'}))).messages[0]?.status).toBe(
			'aborted',
		);
	});
});

describe('what is odd', () => {
	test('B201 without a time of creation: the update, else the earliest message, and a mark', async () => {
		const {conversations} = await run([
			conversation(hello, {created_at: null}),
			conversation(hello, {uuid: '2', created_at: undefined, updated_at: null}),
			conversation([], {uuid: '3', created_at: null, updated_at: null}),
		]);
		expect(conversations.map(({created_at, extra}) => [created_at, extra?.created_at_source])).toEqual([
			[Date.parse('2026-02-03T01:00:00Z') * 1000, 'updated_at'],
			[Date.parse('2026-02-03T00:00:01Z') * 1000, 'first_message'],
			[null, 'none'],
		]);
	});

	test('B204 elements and messages that are none are named; the rest is there, and parents reach over them', async () => {
		const {conversations, warnings} = await run([
			'odd',
			{uuid: 'x', name: 'no messages'},
			conversation([
				message('a', 'human', 'A', {parent_message_uuid: 'ROOT'}),
				message('b', 'narrator', 'B', {parent_message_uuid: 'a'}),
				message('c', 'assistant', 'C', {parent_message_uuid: 'b'}),
				7,
			]),
		]);
		expect(warnings.map(({kind}) => kind)).toEqual([
			'unknown_record',
			'unknown_record',
			'unknown_role',
			'unknown_record',
		]);
		expect(conversations[0]?.messages.map(({native_id, parent_native_id}) => [native_id, parent_native_id])).toEqual([
			['a', null],
			['c', 'a'],
		]);
	});

	test('a missing parent does not hide what was said before it', async () => {
		const {messages, kinds} = await one(
			message('a', 'human', 'A', {parent_message_uuid: 'ROOT', time: 1}),
			message('b', 'assistant', 'B', {parent_message_uuid: 'a', time: 2}),
			message('d', 'assistant', 'D', {parent_message_uuid: 'c', time: 4}),
		);
		expect(messages.every(({is_visible}) => is_visible)).toBe(true);
		expect(kinds()).toEqual(['dangling_parent']);
	});

	test('B207 messages that answer each other in a circle', async () => {
		const {conversations, kinds} = await one(
			message('a', 'human', 'A', {parent_message_uuid: 'b', time: 1}),
			message('b', 'assistant', 'B', {parent_message_uuid: 'a', time: 2}),
		);
		expect(seen(conversations[0])).toEqual(['user A', 'assistant B']);
		expect(kinds()).toEqual(['parent_cycle']);
		const finished =
			conversations[0] && finishConversation(conversations[0], {format: 'claude', source_id: 's', line: 'main'});
		expect(finished?.warnings).toEqual([]);
	});

	test('B214 a chat of 3,000 messages in one line of answers', async () => {
		const messages = Array.from({length: 3000}, (_, i) =>
			message(`m${i}`, i % 2 === 0 ? 'human' : 'assistant', `line ${i}`, {
				parent_message_uuid: i === 0 ? 'ROOT' : `m${i - 1}`,
				time: i,
			}),
		);
		const {conversations} = await one(...messages);
		expect(seen(conversations[0])?.length).toBe(3000);
		expect(conversations[0]?.messages.at(-1)?.text).toBe('line 2999');
	});

	test('an incognito chat is not to be remembered', async () => {
		expect((await run([conversation(hello, {is_temporary: true})])).conversations[0]?.do_not_remember).toBe(true);
	});

	test('whatever a conversation holds, nothing throws, and every message is there once', async () => {
		const id = fc.constantFrom('a', 'b', 'c', 'd');
		const content = fc.oneof(
			fc.jsonValue(),
			fc.array(fc.record({type: fc.constantFrom('text', 'x'), text: fc.jsonValue()})),
		);
		const item = fc.oneof(
			fc.jsonValue(),
			fc.record({
				uuid: id,
				sender: fc.constantFrom('human', 'assistant'),
				text: fc.jsonValue(),
				content,
				parent_message_uuid: fc.option(id),
				attachments: fc.jsonValue(),
			}),
		);
		const record = fc.record({
			uuid: id,
			name: fc.jsonValue(),
			chat_messages: fc.array(item),
			current_leaf_message_uuid: fc.option(id),
		});
		await fc.assert(
			fc.asyncProperty(record, async value => {
				for (const draft of (await run([value])).conversations) {
					const {messages, warnings} = finishConversation(draft, {format: 'claude', source_id: 's', line: 'main'});
					expect(warnings.filter(({kind}) => kind === 'dangling_parent')).toEqual([]);
					expect(new Set(messages.map(({message_id}) => message_id)).size).toBe(messages.length);
				}
			}),
		);
	});
});
