import {readFile} from 'node:fs/promises';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {chatgpt} from '../../../src/importers/chatgpt.js';
import {finishConversation} from '../../../src/importers/finish.js';
import type {ConversationDraft} from '../../../src/importers/port.js';
import {layoutOf} from '../../../src/importers/prefix.js';
import {importers} from '../../../src/importers/registry.js';
import {detect} from '../../../src/importers/sniff.js';
import {chain, conversation, type NodeSpec} from '../../fixtures/importers/chatgpt/build.js';
import {fixture, importText, memoryFile, ndjson, recordingContext} from './helpers.js';

const sniffs = (text: string): boolean => chatgpt.sniff(layoutOf(text, true));
const run = (value: unknown) => importText(chatgpt, typeof value === 'string' ? value : JSON.stringify(value));
const seen = (draft: ConversationDraft | undefined) =>
	draft?.messages.filter(({is_visible}) => is_visible).map(({role, text}) => `${role} ${text}`);
/** What becomes of one conversation of these nodes. */
async function one(nodes: readonly NodeSpec[], more: Record<string, unknown> = {}) {
	const result = await run([conversation(nodes, more)]);
	const [draft] = result.conversations;
	return {...result, draft, messages: draft?.messages ?? [], seen: seen(draft)};
}
/** What becomes of one message without a parent. */
const message = async (spec: Omit<NodeSpec, 'id'>) => {
	const result = await one([{id: 'm', ...spec}]);
	return {...result, message: result.messages[0]};
};

describe('an official export', () => {
	const example = async () => run(await readFile(fixture('chatgpt/conversations.json'), 'utf8'));

	test('the path to the current node is what was seen; tools, thoughts, hidden nodes and branches are kept', async () => {
		const {conversations, kinds, skips} = await example();
		const [, lamp] = conversations;
		expect(kinds()).toEqual([]);
		expect(lamp).toMatchObject({
			native_id: '69aa0001-0000-8000-8000-000000000001',
			title: 'Dark lamp',
			created_at: 1_767_600_000_500_000,
			updated_at: 1_767_600_095_750_000,
			do_not_remember: false,
			extra: {model: 'gpt-5', memory_scope: 'global_enabled'},
		});
		expect(lamp?.messages.filter(({is_visible}) => is_visible).map(({native_id}) => native_id)).toEqual([
			'u1',
			'a1',
			'u2b',
			'a2b',
		]);
		expect(lamp?.messages.length).toBe(13);
		expect(lamp?.messages.find(({native_id}) => native_id === 'u2')).toMatchObject({
			text: '谢谢!那电阻要换吗?',
			is_visible: false,
		});
		expect(skips.filter(reason => reason !== 'citation_mark').sort()).toEqual([
			'unseen_profile',
			'unseen_system',
			'unseen_thoughts',
			'unseen_thoughts',
			'unseen_tool',
			'unseen_tool',
			'unseen_tool',
		]);
	});

	test('B212 marks of citations are taken out and counted; raw has them', async () => {
		const {conversations, skips} = await example();
		const reply = conversations[1]?.messages.find(({native_id}) => native_id === 'a1');
		expect(reply?.text).toBe(
			'The diode D1 is reversed: its band must face the lamp.  See also Practical Electronics and the older note.',
		);
		expect(JSON.stringify(reply?.raw)).toContain('turn0search3');
		expect(skips.filter(reason => reason === 'citation_mark').length).toBe(6);
	});

	test('B209, B210 a picture is an attachment, called as the metadata call it; files beside it too', async () => {
		const [, lamp] = (await example()).conversations;
		expect(lamp?.messages.find(({native_id}) => native_id === 'u1')).toMatchObject({
			text: 'What is wrong with this circuit?\nThe lamp stays dark. 💡',
			created_at: 1_767_600_001_123_456,
			authorship: 'human',
			attachments: [
				{name: 'board.png', type: 'image', text: null},
				{name: 'notes.pdf', type: 'application/pdf', text: null},
			],
		});
	});

	test('B106, B211, B222 a null title stays null; one from the first line of the user is beside it, marked', async () => {
		const [pen] = (await example()).conversations;
		expect(pen).toMatchObject({title: null, do_not_remember: true, extra: {title_derived: '给我起个笔名,要带"雨"字'}});
		const long = await one([{id: 'a', text: '很'.repeat(300)}], {title: '  '});
		expect(long.draft).toMatchObject({title: null, extra: {title_derived: '很'.repeat(80)}});
	});

	test('texts are kept to the letter', async () => {
		const [pen, lamp] = (await example()).conversations;
		expect(pen?.messages[0]?.text).toBe('\n给我起个笔名,要带"雨"字\n不要太文艺');
		expect(lamp?.messages.at(-1)?.text).toBe('No: 220 Ω is fine.\n\n```text\n(5 V - 2 V) / 220 Ω = 13.6 mA\n```');
	});
});

describe('layouts', () => {
	test.each([
		['B111 an array', [conversation(chain(2))]],
		['B111 one conversation', conversation(chain(2))],
		['an object around a list', {conversations: [conversation(chain(2))]}],
		['a conversation a line', ndjson(conversation(chain(2)), conversation(chain(2), {conversation_id: 'c2'}))],
		['an id under the other name', [conversation(chain(2), {conversation_id: undefined, id: 'conv-1'})]],
	])('%s', async (_name, value) => {
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		expect(detect(layoutOf(text, true), importers)?.id).toBe('chatgpt');
		const {conversations, warnings} = await run(text);
		expect(warnings).toEqual([]);
		expect(conversations[0]?.native_id).toBe('conv-1');
		expect(seen(conversations[0])).toEqual(['user line 0', 'assistant line 1']);
	});

	test.each([
		['shared_link', [{id: 'x', conversation_id: 'c', title: 't', is_anonymous: true}]],
		['feedback', [{id: 'x', conversation_id: 'c', rating: 'thumbsUp'}]],
		['account_data', {id: 'u', email: 'a@example.org', phone_number: null}],
		['file_list', [{file_id: 'f', file_name: 'a.png'}]],
		['file_list', {'file-1.dat': 'a.png', 'file-2.dat': 'b.pdf'}],
	])('%s is known as no chat, and counted', async (reason, value) => {
		expect(sniffs(JSON.stringify(value))).toBe(true);
		const {drafts, skips, warnings} = await run(value);
		expect({drafts, skips, warnings}).toEqual({drafts: [], skips: [reason], warnings: []});
	});

	test.each([
		['B108 DeepSeek', [{id: 'd', inserted_at: '2025-04-29T11:59:11+08:00', mapping: {}}]],
		['B108 DeepSeek by its messages', [{mapping: {1: {message: {fragments: [{type: 'REQUEST', content: 'x'}]}}}}]],
		['B108 Claude.ai', [{uuid: 'u', chat_messages: []}]],
		['B116 other things', [{id: 1}, {mapping: 'x'}]],
		['messages', {messages: [{role: 'user', content: 'x'}]}],
		['rows of chats with a rating', [{conversation_id: 'c', role: 'user', content: 'x', rating: 5}]],
		['text', '<html>'],
	])('%s is not taken', (_name, value) => {
		expect(sniffs(typeof value === 'string' ? value : JSON.stringify(value))).toBe(false);
	});

	test('B107, B119 a conversation comes out before the next is read, so memory holds one', async () => {
		let produced = 0;
		const total = 3000;
		const size = Buffer.byteLength(JSON.stringify(conversation(chain(40))));
		const file = {
			...memoryFile('', {path: 'conversations.json'}),
			async *open() {
				for (let index = 0; index < total; index += 1) {
					produced = index;
					const text = JSON.stringify(conversation(chain(40), {conversation_id: `c${index}`}));
					yield Buffer.from(`${index === 0 ? '[' : ','}${text}`);
				}
				yield Buffer.from(']');
			},
		};
		let read = 0;
		for await (const _ of chatgpt.read(file, recordingContext().context)) {
			expect((produced - read) * size).toBeLessThan(256 * 1024);
			read += 1;
			if (read === 100) break;
		}
		expect(read).toBe(100);
	});
});

describe('the tree', () => {
	const fork: NodeSpec[] = [
		{id: 'root', message: null},
		{id: 'q', parent: 'root', text: 'Q', time: 10.654321},
		{id: 'a', parent: 'q', role: 'assistant', text: 'A', time: 11},
		{id: 'b', parent: 'q', role: 'assistant', text: 'B', time: 30},
		{id: 'c', parent: 'a', text: 'C', time: 12},
	];

	test('B205, B206 without any list of children the path is found by parents, and fractions of seconds stay', async () => {
		expect(JSON.stringify(conversation(fork))).not.toContain('children');
		const {seen: lines, messages} = await one(fork, {current_node: 'c'});
		expect(messages[0]?.created_at).toBe(10_654_321);
		expect(lines).toEqual(['user Q', 'assistant A', 'user C']);
		expect(messages.map(({native_id, parent_native_id}) => `${native_id}<${parent_native_id}`)).toEqual([
			'q<null',
			'a<q',
			'b<q',
			'c<a',
		]);
	});

	test('B205 with lists of children and without parents', async () => {
		const {mapping} = conversation(fork);
		const nodes = Object.entries(mapping).map(([id, node]) => {
			const children = fork.filter(({parent}) => parent === id).map(child => child.id);
			return [id, {id, message: node.message, children}];
		});
		const {conversations, warnings} = await run({
			...conversation([]),
			mapping: Object.fromEntries(nodes),
			current_node: 'c',
		});
		expect(warnings).toEqual([]);
		expect(seen(conversations[0])).toEqual(['user Q', 'assistant A', 'user C']);
	});

	test('B223 a current node that is missing or not there: the newest leaf, else the last', async () => {
		expect((await one(fork)).seen).toEqual(['user Q', 'assistant B']);
		expect((await one(fork, {current_node: 'gone'})).seen).toEqual(['user Q', 'assistant B']);
		const timeless = fork.map(node => ({...node, time: null}));
		expect((await one(timeless, {current_node: null})).seen).toEqual(['user Q', 'assistant A', 'user C']);
	});

	test('B207 a circle is cut with a warning', async () => {
		const nodes: NodeSpec[] = [
			{id: 'a', parent: 'c', text: 'A'},
			{id: 'b', parent: 'a', role: 'assistant', text: 'B'},
			{id: 'c', parent: 'b', text: 'C'},
		];
		const {seen: lines, warnings} = await one(nodes, {current_node: 'c'});
		expect(lines).toEqual(['user A', 'assistant B', 'user C']);
		expect(warnings).toMatchObject([{kind: 'parent_cycle', where: 'memory.json:1:2'}]);
	});

	test('B208 no root at all', async () => {
		const nodes: NodeSpec[] = [
			{id: 'a', parent: 'b', text: 'A', time: 1},
			{id: 'b', parent: 'a', role: 'assistant', text: 'B', time: 2},
		];
		const {seen: lines, kinds} = await one(nodes);
		expect(lines).toEqual(['user A', 'assistant B']);
		expect(kinds()).toEqual(['parent_cycle']);
	});

	test('B205 many missing parents are one warning, and hide nothing', async () => {
		const nodes = chain(400).map((node, index) => (index > 10 ? {...node, parent: `gone${index}`} : node));
		const {seen: lines, warnings} = await one(nodes, {current_node: 'n399'});
		expect(lines?.length).toBe(400);
		expect(warnings).toMatchObject([{kind: 'dangling_parent', detail: expect.stringMatching(/^390 messages/)}]);
	});

	test('B214 a chat of two years: 3,000 nodes in a line, a megabyte and more', async () => {
		const nodes = chain(3000).map(node => ({...node, text: `${node.text ?? ''} ${'长'.repeat(150)}`}));
		const {seen: lines} = await one(nodes, {current_node: 'n2999'});
		expect(lines?.length).toBe(3000);
	});

	test('B203 what lies between messages without being one does not cut the line', async () => {
		const {messages, kinds} = await one([
			{id: 'q', text: 'Q', time: 1},
			{id: 'x', parent: 'q', message: null},
			{id: 'y', parent: 'x', role: 'narrator', text: 'Y'},
			{id: 'a', parent: 'y', role: 'assistant', text: 'A', time: 2},
		]);
		expect(messages.map(({native_id, parent_native_id}) => [native_id, parent_native_id])).toEqual([
			['q', null],
			['a', 'q'],
		]);
		expect(kinds()).toEqual(['unknown_role']);
	});

	test('B213 several of the assistant in a row: the role is what the data say', async () => {
		const nodes = chain(4).map(node => ({...node, role: node.id === 'n0' ? 'user' : 'assistant'}));
		expect((await one(nodes)).messages.map(({role}) => role)).toEqual(['user', 'assistant', 'assistant', 'assistant']);
	});
});

describe('what a person saw', () => {
	test.each([
		[
			'B203 custom instructions',
			{content: {content_type: 'user_editable_context', user_profile: 'I am', user_instructions: 'x'}},
			'unseen_profile',
			'injected',
		],
		[
			'model context',
			{content: {content_type: 'model_editable_context', model_set_context: 'x'}},
			'unseen_profile',
			'injected',
		],
		[
			'B203 a profile among the messages of the system',
			{role: 'system', text: 'x', message: {metadata: {is_user_system_message: true}}},
			'unseen_profile',
			'unknown',
		],
		[
			'a hidden node',
			{text: 'x', message: {metadata: {is_visually_hidden_from_conversation: true}}},
			'unseen_hidden',
			'injected',
		],
		['a node of weight 0', {text: 'x', message: {weight: 0}}, 'unseen_hidden', 'unknown'],
		['B120 a tool', {role: 'tool', text: 'x'}, 'unseen_tool', 'unknown'],
		['B120 a row without content', {content: null}, 'unseen_empty', 'unknown'],
		['B120 a row whose text is empty', {text: ''}, 'unseen_empty', 'unknown'],
		['code', {role: 'assistant', content: {content_type: 'code', text: 'print(1)'}}, 'unseen_tool', 'unknown'],
		['output', {role: 'assistant', content: {content_type: 'execution_output', text: '1'}}, 'unseen_tool', 'unknown'],
		['thoughts', {role: 'assistant', content: {content_type: 'thoughts', thoughts: []}}, 'unseen_thoughts', 'unknown'],
		[
			'a recap',
			{role: 'assistant', content: {content_type: 'reasoning_recap', content: 'x'}},
			'unseen_thoughts',
			'unknown',
		],
		[
			'the channel of analysis',
			{role: 'assistant', text: 'x', message: {channel: 'analysis'}},
			'unseen_thoughts',
			'unknown',
		],
		['a call', {role: 'assistant', text: 'x', message: {recipient: 'dalle.text2im'}}, 'unseen_tool', 'unknown'],
		['a search call', {role: 'assistant', text: ' {"queries": ["a", "b"]}\n'}, 'unseen_tool', 'unknown'],
	] as const)('%s is kept, out of the text and not visible', async (_name, spec, reason, authorship) => {
		const {message: draft, skips, kinds} = await message(spec);
		expect(draft).toMatchObject({text: '', is_visible: false, authorship});
		expect(draft?.raw).toMatchObject({id: 'm'});
		expect([skips, kinds()]).toEqual([[reason], []]);
	});

	test.each([
		[
			'parts of several kinds',
			{content_type: 'multimodal_text', parts: ['a', {content_type: 'text', text: 'b'}, null]},
			'a\nb',
		],
		[
			'speech',
			{content_type: 'multimodal_text', parts: [{content_type: 'audio_transcription', text: '你好', direction: 'in'}]},
			'你好',
		],
		['a bare string', 'a', 'a'],
		['no type', {parts: ['a']}, 'a'],
		['a text in place of parts', {content_type: 'text', text: 'a'}, 'a'],
	])('text: %s', async (_name, content, text) => {
		const {message: draft, warnings} = await message({content});
		expect(warnings).toEqual([]);
		expect(draft).toMatchObject({text, is_visible: true, authorship: 'human', speaker: null});
	});

	test('B209, B210 pictures, sound and files become attachments; without a name the id is kept', async () => {
		const parts = [
			{content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-Ab1'},
			{
				content_type: 'real_time_user_audio_video_asset_pointer',
				audio_asset_pointer: {asset_pointer: 'sediment://file_a'},
			},
			{content_type: 'video_container_asset_pointer', asset_pointer: 'sediment://file_v'},
			{content_type: 'something_asset_pointer', asset_pointer: 'file_x'},
			{content_type: 'riddle'},
			7,
		];
		const {message: draft, warnings} = await message({content: {content_type: 'multimodal_text', parts}});
		expect(draft).toMatchObject({text: '', is_visible: true});
		expect(draft?.attachments.map(({name, type}) => [name, type])).toEqual([
			['file-Ab1', 'image'],
			['file_a', 'audio'],
			['file_v', 'video'],
			['file_x', 'file'],
		]);
		expect(warnings.map(({kind, detail}) => [kind, detail])).toEqual([
			['unknown_part', 'riddle'],
			['unknown_part', 'number'],
		]);
	});

	test('content of a kind that nobody knows is kept, named and not guessed at', async () => {
		const {message: draft, warnings} = await message({
			role: 'assistant',
			content: {content_type: 'hologram', text: 'x'},
		});
		expect(draft).toMatchObject({text: '', is_visible: false});
		expect(warnings).toMatchObject([{kind: 'unknown_content', detail: 'hologram'}]);
	});

	test('a status other than the usual one is kept', async () => {
		expect((await message({text: 'x', message: {status: 'in_progress'}})).message?.status).toBe('in_progress');
		expect((await message({text: 'x'})).message?.status).toBe('done');
	});

	test('what a program put in the place of the user is not the words of a person', async () => {
		const {message: draft} = await message({text: '<relevant-memories>x</relevant-memories>'});
		expect(draft).toMatchObject({authorship: 'injected', is_visible: false});
		expect((await message({text: '<memos>x</memos> hi'})).message).toMatchObject({
			authorship: 'unknown',
			is_visible: true,
		});
	});
});

describe('what is odd', () => {
	test('B201 a conversation without times stands by its update or first message, marked, and costs no other', async () => {
		const {conversations} = await run([
			conversation(chain(2, 2_000_000_000), {create_time: null}),
			conversation(chain(2, 2_000_000_000), {conversation_id: '2', create_time: undefined, update_time: null}),
			conversation(chain(2), {conversation_id: '3'}),
		]);
		expect(conversations.map(({created_at, extra}) => [created_at, extra?.created_at_source])).toEqual([
			[1_767_600_900_250_000, 'updated_at'],
			[2_000_000_000_000_000, 'first_message'],
			[1_767_600_000_500_000, undefined],
		]);
	});

	test('B202 a message may lack metadata, content, author and more', async () => {
		const bare = {metadata: undefined, status: undefined, weight: undefined, recipient: null, create_time: undefined};
		const {messages, warnings} = await one([
			{id: 'a', text: 'A', message: bare},
			{id: 'b', parent: 'a', content: undefined, message: {...bare, id: null}},
			{id: 'c', parent: 'b', text: 'C', message: {author: undefined}},
			{id: 'd', parent: 'b', text: 'D', message: {author: null, role: 'assistant'}},
			{id: 'e', parent: 'd', text: 'E', message: {metadata: [], weight: 'x', author: {role: 'user', name: 5}}},
		]);
		expect(messages.map(({native_id, text, is_visible}) => [native_id, text, is_visible])).toEqual([
			['a', 'A', true],
			['b', '', false],
			['d', 'D', true],
			['e', 'E', true],
		]);
		expect(warnings).toMatchObject([{kind: 'unknown_role', where: 'memory.json:1:2 node c', detail: 'none'}]);
	});

	test('B204 one element without a mapping is named; the model is that of the message, else of the chat, else unknown', async () => {
		const slug = {metadata: {model_slug: 'm1'}};
		const {conversations, warnings} = await run([
			{id: 'x', title: 'broken'},
			conversation([{id: 'a', role: 'assistant', text: 'x', message: slug}], {default_model_slug: 'm0'}),
			conversation([{id: 'a', text: 'x'}], {conversation_id: '2', default_model_slug: 'm0'}),
			conversation([{id: 'a', text: 'x'}], {conversation_id: '3'}),
		]);
		expect(conversations.map(({extra}) => extra?.model)).toEqual(['m1', 'm0', 'unknown']);
		expect(warnings).toMatchObject([
			{kind: 'unknown_record', where: 'memory.json:1:2', detail: 'no "mapping"; members id, title'},
		]);
	});

	test('B113 a conversation of nodes without one message is a failure that is told', async () => {
		const {conversations, warnings} = await run([
			conversation([{id: 'a', message: null}]),
			conversation([], {conversation_id: '2'}),
		]);
		expect(conversations.map(({native_id}) => native_id)).toEqual(['2']);
		expect(warnings).toMatchObject([{kind: 'no_messages', detail: '1 nodes and no message in "A title"; left out'}]);
		expect((await run([{mapping: {}}])).skips).toEqual(['empty_conversation']);
	});

	test('two nodes with messages of one id are both kept', async () => {
		const {messages} = await one([
			{id: 'a', text: 'A'},
			{id: 'b', parent: 'a', role: 'assistant', text: 'B', message: {id: 'a'}},
		]);
		expect(messages.map(({native_id, parent_native_id, text}) => [native_id, parent_native_id, text])).toEqual([
			['a', null, 'A'],
			['b', 'a', 'B'],
		]);
	});

	test('nodes and messages that are no objects', async () => {
		const {conversations, kinds} = await run({
			...conversation([]),
			mapping: {a: 1, b: {message: 'x'}, c: conversation([{id: 'c', text: 'C'}]).mapping.c},
		});
		expect(seen(conversations[0])).toEqual(['user C']);
		expect(kinds()).toEqual(['unknown_record']);
	});

	test('whatever a mapping holds, nothing throws, every message is there once, and its parent before it', async () => {
		const id = fc.constantFrom('a', 'b', 'c', 'd');
		const content = fc.oneof(
			fc.jsonValue(),
			fc.record({content_type: fc.constantFrom('text', 'code', 'x'), parts: fc.jsonValue()}),
		);
		const author = fc.oneof(fc.record({role: fc.constantFrom('user', 'assistant', 'tool')}), fc.jsonValue());
		const message = fc.oneof(
			fc.jsonValue(),
			fc.record({id: fc.oneof(id, fc.constant(null)), author, content, metadata: fc.jsonValue()}),
		);
		const node = fc.oneof(fc.record({parent: fc.oneof(id, fc.constant(null)), message}), fc.jsonValue());
		const record = fc.record({
			id,
			current_node: fc.oneof(id, fc.jsonValue()),
			title: fc.jsonValue(),
			mapping: fc.dictionary(id, node),
		});
		await fc.assert(
			fc.asyncProperty(record, async value => {
				for (const draft of (await run([value])).conversations) {
					const {messages, warnings} = finishConversation(draft, {format: 'chatgpt', source_id: 's', line: 'main'});
					const inTree = ['dangling_parent', 'parent_cycle', 'duplicate_message'];
					expect(warnings.filter(({kind}) => inTree.includes(kind))).toEqual([]);
					expect(new Set(messages.map(({message_id}) => message_id)).size).toBe(messages.length);
				}
			}),
		);
	});
});
