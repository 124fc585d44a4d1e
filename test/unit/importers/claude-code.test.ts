import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {claudeCode} from '../../../src/importers/claude-code.js';
import type {ConversationDraft} from '../../../src/importers/port.js';
import {layoutOf} from '../../../src/importers/prefix.js';
import {importers} from '../../../src/importers/registry.js';
import {detect} from '../../../src/importers/sniff.js';
import {cleanInjected} from '../../../src/text/clean.js';
import {assistant, finish, line, run, seen, talk, user} from '../../fixtures/importers/claude-code/build.js';
import {fixture, importText, ndjson} from './helpers.js';

const load = (name: string): Buffer => readFileSync(fixture(`claude-code/${name}`));

describe('the example', () => {
	test('a session: words in order, notices and tools kept but not seen, the branch that was left beside it', async () => {
		const {conversations, warnings, skips} = await importText(claudeCode, load('session.jsonl'));
		const [session] = conversations;
		expect(warnings).toEqual([]);
		expect(skips.toSorted()).toContain('sidecar_progress');
		expect(session).toMatchObject({
			native_id: '5b1f0a52-7c0e-4d0b-9a37-2f6f1f3f0c11',
			title: '修复 emoji 截断',
			extra: {cwd: '/home/mira/projekte/回声', git_branch: 'main', model: 'claude-opus-4-5'},
		});
		expect(seen(session)?.map(text => text.slice(0, 18))).toEqual([
			'user 帮我看看 `echo.ts',
			'assistant 我先读一下文件。',
			'user 别忘了写测试',
			'assistant `slice` ',
			'user <system-remin',
			'assistant Because ',
			'user Then commit i',
			'assistant Committe',
			'user 还有一件事:我女儿小满三月',
			'assistant 记下了:3 月 ',
		]);
		const finished = finish(session as ConversationDraft);
		expect(finished.warnings).toEqual([]);
		expect(finished.messages.filter(({speaker}) => speaker === 'Claude').length).toBe(6);
	});

	test('a subagent: a conversation of its own that names its session; nobody typed its task', async () => {
		const {conversations} = await importText(claudeCode, load('agent-a1b2c3d.jsonl'));
		expect(conversations.length).toBe(1);
		expect(conversations[0]).toMatchObject({
			native_id: '5b1f0a52-7c0e-4d0b-9a37-2f6f1f3f0c11:agent-a1b2c3d',
			extra: {parent_session: '5b1f0a52-7c0e-4d0b-9a37-2f6f1f3f0c11', agent_id: 'a1b2c3d'},
		});
		expect(conversations[0]?.messages[0]).toMatchObject({role: 'user', authorship: 'injected', is_visible: false});
		expect(seen(conversations[0])).toEqual(['assistant Only `echo.ts` uses slice().']);
	});

	test('a session on the web: one object with loglines', async () => {
		const text = load('web-session.json').toString();
		expect(detect(layoutOf(text, true), importers)?.id).toBe('claude-code');
		const {conversations, warnings} = await importText(claudeCode, text);
		expect(warnings).toEqual([]);
		expect(seen(conversations[0])).toEqual(['user Add a README, 中英文都要', 'assistant Sure.', 'assistant Done ✅']);
	});
});

describe('order and branches', () => {
	test('B310 a parent that was never written: the line follows the one before it, nothing is lost', async () => {
		const {conversations, warnings} = await run(
			...talk,
			user('u2', 'after', {at: 3, parent: 'never'}),
			assistant('a2', 'yes', {at: 4, parent: 'u2'}),
			user('u3', 'more', {at: 5, parent: 'nor-this'}),
		);
		expect(seen(conversations[0])?.length).toBe(5);
		expect(conversations[0]?.messages[2]?.parent_native_id).toBe('msg-a1');
		expect(warnings).toEqual([
			expect.objectContaining({kind: 'dangling_parent', detail: expect.stringMatching(/^2 messages/)}),
		]);
	});

	test('B311 a compaction that names a line that is not there is joined to the earlier one, and told', async () => {
		const boundary = line('system', 'c1', {subtype: 'compact_boundary', logicalParentUuid: 'gone', at: 5});
		const {conversations, kinds} = await run(...talk, boundary, user('u2', 'after', {parent: 'c1', at: 6}));
		expect(seen(conversations[0])).toEqual(['user hello', 'assistant hi', 'user after']);
		expect(kinds()).toEqual(['compaction_stitched']);
	});

	test('B313 the summary of a compaction is a program’s, and what was before it stays', async () => {
		const {conversations, messages, warnings} = await run(
			...talk,
			line('system', 'c1', {subtype: 'compact_boundary', logicalParentUuid: 'a1', at: 5}),
			user('k1', 'The user said hello.', {parent: 'c1', at: 6, isCompactSummary: true}),
			user('u2', 'after', {parent: 'k1', at: 7}),
		);
		expect(warnings).toEqual([]);
		expect(seen(conversations[0])).toEqual(['user hello', 'assistant hi', 'user after']);
		expect(messages.find(({native_id}) => native_id === 'k1')).toMatchObject({
			text: 'The user said hello.',
			authorship: 'injected',
			is_visible: false,
		});
	});

	test('B330 system and result lines at the end do not hide what was said', async () => {
		const {conversations} = await run(
			...talk,
			line('system', 's9', {parent: null, subtype: 'turn_duration', at: 9}),
			{type: 'result', subtype: 'success', session_id: 'ses-1', uuid: 'z', result: 'hi'},
			user('m9', 'Caveat…', {isMeta: true, parent: null, at: 10}),
		);
		expect(seen(conversations[0])).toEqual(['user hello', 'assistant hi']);
	});

	test('a rewind leaves the old branch beside the talk; a chain through lines without messages holds', async () => {
		const {conversations, messages, skips} = await run(
			...talk,
			user('old', 'first try', {at: 3, parent: 'a1'}),
			line('progress', 'p1', {parent: 'a1'}),
			line('attachment', 'p2', {parent: 'p1', attachment: {type: 'file'}}),
			user('new', 'second try', {at: 4, parent: 'p2'}),
		);
		expect(seen(conversations[0])).toEqual(['user hello', 'assistant hi', 'user second try']);
		expect(messages.find(({native_id}) => native_id === 'new')?.parent_native_id).toBe('msg-a1');
		expect(skips).toEqual(['sidecar_progress', 'sidecar_attachment']);
	});

	test('a line that is written before its parent, and circles', async () => {
		const early = await run(talk[0], user('u3', 'c', {parent: 'a2'}), assistant('a2', 'b', {parent: 'u1'}));
		expect(seen(early.conversations[0])).toContain('user hello');
		const circle = await run(
			user('x', 'a', {parent: 'y'}),
			user('y', 'b', {parent: 'x'}),
			user('z', 'c', {parent: 'z'}),
		);
		expect(circle.messages.length).toBe(3);
		expect(circle.kinds()).toContain('parent_cycle');
	});

	test('words typed while a tool ran stand at their time, notices of tasks are nobody’s', async () => {
		const queued = (prompt: unknown, at: number, more: object = {}) => {
			const {uuid: _, parentUuid: __, ...rest} = line('attachment', '', {at});
			return {...rest, attachment: {type: 'queued_command', prompt, commandMode: 'prompt', ...more}};
		};
		const {conversations, messages} = await run(
			user('u1', 'go', {at: 0}),
			assistant('a1', 'working', {at: 10, parent: 'u1'}),
			queued('等等', 5),
			queued([{type: 'text', text: '还有'}], 12),
			queued('<task-notification>done</task-notification>', 13, {commandMode: 'task-notification'}),
			queued('', 14),
		);
		expect(seen(conversations[0])).toEqual(['user go', 'user 等等', 'assistant working', 'user 还有']);
		expect(messages.map(({authorship}) => authorship)).toEqual(['unknown', 'human', 'unknown', 'human', 'injected']);
	});

	test('subagents in the file of their session are conversations of their own', async () => {
		const side = {isSidechain: true};
		const {conversations} = await run(
			...talk,
			user('s1', 'task one', {...side, at: 3}),
			assistant('s2', 'one', {...side, at: 4, parent: 's1'}),
			user('t1', 'task two', {...side, at: 3, parent: 'a1'}),
			assistant('t2', 'two', {...side, at: 4, parent: 't1'}),
			user('u2', 'thanks', {at: 6, parent: 'a1'}),
		);
		expect(conversations.map(({native_id}) => native_id)).toEqual(['ses-1', 'ses-1:agent-s1', 'ses-1:agent-t1']);
		expect(conversations.map(seen)).toEqual([
			['user hello', 'assistant hi', 'user thanks'],
			['assistant one'],
			['assistant two'],
		]);
	});

	test('several sessions in one file are several conversations', async () => {
		const other = talk.map(item => ({...item, sessionId: 'ses-2'}));
		const {conversations} = await run(talk[0], other[0], talk[1], other[1]);
		expect(conversations.map(({native_id}) => native_id)).toEqual(['ses-1', 'ses-2']);
		expect(conversations.map(draft => seen(draft)?.length)).toEqual([2, 2]);
	});
});

describe('who said what', () => {
	test('B316 lines are of type user, or human in old descriptions', async () => {
		const {conversations} = await run(
			talk[0],
			{...(talk[1] as object)},
			line('human', 'h', {message: {content: 'old'}, at: 4, parent: 'a1'}),
		);
		expect(seen(conversations[0])).toEqual(['user hello', 'assistant hi', 'user old']);
	});

	test('B318 words beside a call stay, and a result is one message', async () => {
		const result = {tool_use_id: 't', type: 'tool_result', content: 'file.ts'};
		const {messages, conversations} = await run(
			user('u1', 'go'),
			assistant(
				'a1',
				[
					{type: 'text', text: 'Reading.'},
					{type: 'tool_use', id: 't', name: 'Read', input: {}},
				],
				{parent: 'u1'},
			),
			user('r1', [result], {parent: 'a1', toolUseResult: {stdout: 'file.ts'}}),
			user(
				'r2',
				[
					{...result, tool_use_id: 't2'},
					{type: 'text', text: '不要这样'},
				],
				{parent: 'r1'},
			),
		);
		expect(messages.map(({role, text}) => [role, text])).toEqual([
			['user', 'go'],
			['assistant', 'Reading.'],
			['tool', ''],
			['user', '不要这样'],
		]);
		expect(seen(conversations[0])?.length).toBe(3);
	});

	test('B326, B327, B328, B329 machine text beside and in place of words', async () => {
		const cases: [unknown, string, string][] = [
			['<system-reminder>\nrules\n</system-reminder>', 'injected', ''],
			['<system-reminder>\nrules\n</system-reminder>\n帮我改', 'unknown', '帮我改'],
			['…\n</persisted-output>\n\n对吗?', 'unknown', '…\n\n\n对吗?'],
			['NO_REPLY', 'injected', ''],
			['[Request interrupted by user for tool use]', 'injected', ''],
			['Stop hook feedback:\n- no', 'injected', 'Stop hook feedback:\n- no'],
			['<div>why is this grey?</div>', 'unknown', '<div>why is this grey?</div>'],
		];
		for (const [content, authorship, clean] of cases) {
			const {messages} = await run(user('u1', content));
			expect(messages[0]).toMatchObject({authorship, text: content, is_visible: authorship !== 'injected'});
			expect(cleanInjected(messages[0]?.text ?? '')).toBe(clean);
		}
	});

	test('marks of the program count, and so do those of a person', async () => {
		const one = async (more: object) => (await run(user('u1', 'x', more as never))).messages[0]?.authorship;
		expect(await one({})).toBe('unknown');
		expect(await one({origin: {kind: 'human'}})).toBe('human');
		expect(await one({imagePasteIds: [1]})).toBe('human');
		expect(await one({origin: {kind: 'task-notification'}})).toBe('injected');
		expect(await one({isMeta: true})).toBe('injected');
	});

	test('an error of the service is told by its status', async () => {
		const {messages} = await run(talk[0], assistant('a1', 'API Error: 529', {parent: 'u1', isApiErrorMessage: true}));
		expect(messages[1]).toMatchObject({status: 'error', text: 'API Error: 529'});
	});

	test('titles: the user’s name, then the model’s, the agent’s, the summary of a line of this session, none', async () => {
		const title = async (...lines: object[]) => (await run(...talk, ...lines)).conversations[0]?.title;
		const own = {type: 'custom-title', customTitle: '我的', sessionId: 'ses-1'};
		const ai = {type: 'ai-title', aiTitle: 'ai', sessionId: 'ses-1'};
		const agent = {type: 'agent-name', agentName: 'agent', sessionId: 'ses-1'};
		const summary = {type: 'summary', summary: 'sum', leafUuid: 'a1'};
		expect(await title(own, summary, agent, {...ai, aiTitle: 'newer'})).toBe('我的');
		expect(await title(summary, ai, agent, {...ai, aiTitle: 'newer'})).toBe('newer');
		expect(await title(summary, agent)).toBe('agent');
		expect(await title(summary)).toBe('sum');
		expect(await title({...summary, leafUuid: 'of another session'}, {...ai, aiTitle: ' '})).toBeNull();
		expect((await run(...talk)).conversations[0]?.extra).toMatchObject({title_derived: 'hello'});
	});

	test('a new type of line is warned about once and counted', async () => {
		const {kinds, skips} = await run(...talk, line('hologram', 'h1'), line('hologram', 'h2'));
		expect(kinds()).toEqual(['unknown_record']);
		expect(skips).toEqual(['unknown_line', 'unknown_line']);
	});
});

test('a file with lines that hold no message gives nothing and says so', async () => {
	const text = ndjson({type: 'summary', summary: 'x', leafUuid: 'y'}, {type: 'mode', mode: 'normal', sessionId: 's'});
	expect(detect(layoutOf(text, true), importers)?.id).toBe('claude-code');
	const {drafts, skips} = await importText(claudeCode, text);
	expect(drafts).toEqual([]);
	expect(skips).toContain('no_session_lines');
});
