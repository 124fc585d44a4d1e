import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Role} from '../../../src/domain/conversation.js';
import {type FinishOptions, finishConversation, openingOf} from '../../../src/importers/finish.js';
import type {ConversationDraft, MessageDraft} from '../../../src/importers/port.js';

const message = (given: Partial<MessageDraft> = {}): MessageDraft => ({
	native_id: null,
	parent_native_id: null,
	role: 'user',
	speaker: null,
	text: 'hello',
	created_at: null,
	authorship: 'unknown',
	status: 'done',
	is_visible: true,
	attachments: [],
	raw: {},
	...given,
});
const draft = (messages: readonly MessageDraft[], given: Partial<ConversationDraft> = {}): ConversationDraft => ({
	type: 'conversation',
	native_id: null,
	title: null,
	created_at: null,
	updated_at: null,
	kind: 'assistant',
	line: null,
	do_not_remember: false,
	extra: null,
	messages,
	...given,
});
const finish = (conversation: ConversationDraft, options: Partial<FinishOptions> = {}) =>
	finishConversation(conversation, {format: 'openai', source_id: 's_0', line: 'main', ...options});
const idsOf = (result: ReturnType<typeof finish>) => result.messages.map(item => item.message_id);

const arbitraryMessage = fc.record({
	role: fc.constantFrom<Role>('user', 'assistant', 'system', 'tool'),
	text: fc.string({unit: 'binary'}),
	created_at: fc.option(fc.integer({min: 1, max: 2e15})),
	native_id: fc.option(fc.constantFrom('a', 'b', 'c', 'd')),
	parent_native_id: fc.option(fc.constantFrom('a', 'b', 'c', 'x')),
});
const arbitraryDraft = fc
	.record({messages: fc.array(arbitraryMessage, {maxLength: 8}), native_id: fc.option(fc.constantFrom('n1', 'n2'))})
	.map(({messages, native_id}) => draft(messages.map(message), {native_id}));

describe('ids', () => {
	test('do not change from version to version', () => {
		const named = finish(draft([message({native_id: 'm1'})], {native_id: 'c1'}));
		const nameless = finish(draft([message({created_at: 1_700_000_000_000_000})]));
		expect([named.conversation.conversation_id, ...idsOf(named)]).toMatchInlineSnapshot(`
			[
			  "v_2fddcd509569ed53",
			  "m_27a8ac624ae50ff6",
			]
		`);
		expect([nameless.conversation.conversation_id, ...idsOf(nameless)]).toMatchInlineSnapshot(`
			[
			  "v_a57590d2abbd6e7d",
			  "m_abe9aa0a25ac91e0",
			]
		`);
	});

	test('are the same whatever the source, the line and the run', () => {
		fc.assert(
			fc.property(arbitraryDraft, conversation => {
				const one = finish(conversation);
				const two = finish(conversation, {source_id: 's_1', line: 'other'});
				expect(two.conversation.conversation_id).toBe(one.conversation.conversation_id);
				expect(idsOf(two)).toEqual(idsOf(one));
				expect(new Set(idsOf(one)).size).toBe(one.messages.length);
				expect(one.messages.map(({seq}) => seq)).toEqual(one.messages.map((_, index) => index));
			}),
			{seed: 1, numRuns: 150},
		);
	});

	test('B507 a newer export with messages appended keeps the ids of the older ones', () => {
		fc.assert(
			fc.property(fc.array(arbitraryMessage, {minLength: 1}), fc.nat(), (records, at) => {
				const messages = [message({text: 'first words'}), ...records.map(item => message({...item, native_id: null}))];
				const older = finish(draft(messages.slice(0, 1 + (at % messages.length))));
				const newer = finish(draft(messages));
				expect(newer.conversation.conversation_id).toBe(older.conversation.conversation_id);
				expect(idsOf(newer).slice(0, older.messages.length)).toEqual(idsOf(older));
			}),
			{seed: 2, numRuns: 200},
		);
	});

	test('conversations that share a system prompt differ by the first words of the person', () => {
		const system = message({role: 'system', text: 'Be brief.'});
		const opening = (text: string) => openingOf(draft([system, message({text}), message({text: 'later'})]));
		expect(opening('a')).not.toBe(opening('b'));
		expect(opening('a')).toBe(openingOf(draft([system, message({text: 'a'})])));
		expect(openingOf(draft([message()], {native_id: 'c'}))).toBeNull();
	});

	test('conversations that open alike are told apart by their occurrence', () => {
		const same = draft([message()]);
		expect(finish(same, {occurrence: 1}).conversation.conversation_id).not.toBe(
			finish(same).conversation.conversation_id,
		);
		expect(finish(same, {occurrence: 1}).messages[0]?.message_id).not.toBe(finish(same).messages[0]?.message_id);
	});

	test('the format is part of them', () => {
		const same = draft([message({native_id: 'm'})], {native_id: 'c'});
		expect(idsOf(finish(same, {format: 'bench'}))).not.toEqual(idsOf(finish(same)));
	});
});

describe('order, parents and duplicates', () => {
	test('B308, B312, B314 a native id that comes again keeps its place and time and takes the last content', () => {
		const {messages, warnings} = finish(
			draft([
				message({native_id: 'a', text: 'one', created_at: 10}),
				message({native_id: 'b', text: 'two', created_at: 20}),
				message({native_id: 'a', text: 'one, edited', created_at: 30}),
			]),
		);
		expect(messages.map(({text, created_at}) => [text, created_at])).toEqual([
			['one, edited', 10],
			['two', 20],
		]);
		expect(warnings).toMatchObject([{kind: 'duplicate_message', count: 1}]);
	});

	test('parents are linked; what is not there is null with a warning', () => {
		const {messages, warnings} = finish(
			draft([message({native_id: 'a', parent_native_id: 'gone'}), message({native_id: 'b', parent_native_id: 'a'})]),
		);
		expect(messages.map(({parent_id}) => parent_id)).toEqual([null, messages[0]?.message_id]);
		expect(warnings).toMatchObject([{kind: 'dangling_parent', count: 1}]);
	});

	test('B207, B208 circles of parents are cut, and no chain of parents is endless', () => {
		const circle = draft(
			['a', 'b', 'c'].map((id, at) => message({native_id: id, parent_native_id: 'bca'[at] ?? null})),
		);
		expect(finish(circle).warnings).toMatchObject([{kind: 'parent_cycle', count: 1}]);
		fc.assert(
			fc.property(arbitraryDraft, conversation => {
				const {messages} = finish(conversation);
				const parents = new Map(messages.map(({message_id, parent_id}) => [message_id, parent_id]));
				for (const {message_id} of messages) {
					let at: string | null = message_id;
					for (let step = 0; at !== null; step += 1) {
						expect(step).toBeLessThanOrEqual(messages.length);
						at = parents.get(at) ?? null;
					}
				}
			}),
			{seed: 4, numRuns: 200},
		);
	});
});

describe('times', () => {
	test('a missing time is missing before the first and inherited after it', () => {
		const times = [null, 10, null, 20, null].map(created_at => message({created_at}));
		expect(finish(draft(times)).messages.map(item => [item.created_at, item.time_quality])).toEqual([
			[null, 'missing'],
			[10, 'exact'],
			[10, 'inherited'],
			[20, 'exact'],
			[20, 'inherited'],
		]);
	});

	test('the time of a session is inherited where the importer says so', () => {
		const {messages} = finish(draft([message({created_at: 5}), message({created_at: 5, time_inherited: true})]));
		expect(messages.map(({time_quality}) => time_quality)).toEqual(['exact', 'inherited']);
	});

	test('where times contradict the order, the order wins, with one warning', () => {
		const {messages, warnings} = finish(draft([30, 10, 20, 40].map(created_at => message({created_at}))));
		expect(messages.map(({created_at}) => created_at)).toEqual([30, 10, 20, 40]);
		expect(warnings).toMatchObject([{kind: 'time_order', count: 2}]);
	});

	test('a branch that was written later does not contradict the branch after it', () => {
		const tree = [
			message({native_id: 'q', created_at: 10}),
			message({native_id: 'old', parent_native_id: 'q', created_at: 50}),
			message({native_id: 'new', parent_native_id: 'q', created_at: 20}),
		];
		expect(finish(draft(tree)).warnings).toEqual([]);
	});

	test('times are never invented', () => {
		fc.assert(
			fc.property(arbitraryDraft, conversation => {
				const given = new Set(conversation.messages.map(({created_at}) => created_at));
				for (const {created_at, time_quality} of finish(conversation).messages) {
					expect(given.has(created_at)).toBe(true);
					expect(created_at === null).toBe(time_quality === 'missing');
				}
			}),
			{seed: 6, numRuns: 200},
		);
	});
});

describe('texts', () => {
	test('B306, B307, B607 NUL goes, lone surrogates become U+FFFD, neighbours stay, and the place is named', () => {
		const {messages, warnings} = finish(
			draft([message({native_id: 'm', text: '😀a\0b한\ud99c글', speaker: 'A\0', raw: {deep: [{text: '\ud83d'}]}})], {
				native_id: 'c',
				title: 't\0',
			}),
		);
		expect(messages[0]).toMatchObject({text: '😀ab한\uFFFD글', speaker: 'A', raw: {deep: [{text: '\uFFFD'}]}});
		expect(warnings.map(({kind, where}) => [kind, where])).toEqual([
			['nul_removed', 'conversation c message m text at 2'],
			['lone_surrogate', 'conversation c message m text at 4'],
			['nul_removed', 'conversation c message m speaker at 1'],
			['nul_removed', 'conversation c title at 1'],
		]);
	});

	test('a fault in raw alone is warned about too', () => {
		const {warnings} = finish(draft([message({raw: {tool: [{output: 'x\ud83d'}]}})], {native_id: 'c'}));
		expect(warnings.map(({where}) => where)).toEqual(['conversation c message 0 raw.tool[0].output at 1']);
	});

	test('every other text is kept byte for byte', () => {
		const kept = [' 　lead', 'ＡＢＣ１２３，：㎏', 'e\u0301', '👩‍👩‍👧', 'tab\there\r\n', '\u202Eabc', '\uFEFFx'];
		expect(finish(draft(kept.map(text => message({text})))).messages.map(({text}) => text)).toEqual(kept);
		fc.assert(
			fc.property(fc.string({unit: 'grapheme'}), text => {
				expect(finish(draft([message({text, raw: {text}})])).messages[0]).toMatchObject({text, raw: {text}});
			}),
			{seed: 8, numRuns: 300},
		);
	});

	test('what leaves is always well-formed', () => {
		fc.assert(
			fc.property(fc.string({unit: fc.constantFrom('\0', '\ud83d', '\ude00', 'a', '你')}), text => {
				const cleaned = finish(draft([message({text})])).messages[0]?.text ?? '';
				expect(Buffer.from(cleaned).toString()).toBe(cleaned);
				expect(cleaned).not.toContain('\0');
			}),
			{seed: 9, numRuns: 300},
		);
	});
});

test('the line of the format wins, the kind that is asked for wins', () => {
	expect(finish(draft([])).conversation).toMatchObject({line: 'main', kind: 'assistant', source_id: 's_0'});
	expect(finish(draft([], {line: 'locomo:x'}), {kind: 'people'}).conversation).toMatchObject({
		line: 'locomo:x',
		kind: 'people',
	});
});
