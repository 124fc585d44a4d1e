import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {HindcastError} from '../../../src/errors.js';
import {finishConversation} from '../../../src/importers/finish.js';
import {markdown} from '../../../src/importers/markdown.js';
import {readLog} from '../../../src/importers/markdown-log.js';
import type {ConversationDraft} from '../../../src/importers/port.js';
import {layoutOf} from '../../../src/importers/prefix.js';
import {importers} from '../../../src/importers/registry.js';
import {detect} from '../../../src/importers/sniff.js';
import {damageOf} from '../../fixtures/importers/claude-code/build.js';
import {fixture, importText} from './helpers.js';
import {importInto, memoryStore, writeFiles} from './import-run.js';

const load = (name: string): Buffer => readFileSync(fixture(`markdown/${name}`));
const run = (content: string | Buffer) => importText(markdown, content);
const said = (draft: ConversationDraft | undefined) => draft?.messages.map(({role, text}) => `${role} ${text}`);
const idOf = (text: string) => detect(layoutOf(text, true), importers)?.id ?? null;
const at = (iso: string): number => Date.parse(iso) * 1000;

describe('the examples', () => {
	test('headings with times, a title, a table; a heading in code and one of another name are part of the words', async () => {
		const {conversations, warnings} = await run(load('heading.md'));
		expect(warnings).toEqual([{kind: 'assumed_style', where: 'memory.json', detail: 'heading'}]);
		expect(conversations.length).toBe(1);
		expect(conversations[0]).toMatchObject({title: '周末的菜园', native_id: null, kind: 'assistant'});
		const messages = conversations[0]?.messages ?? [];
		expect(messages.map(({role}) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
		expect(messages[1]?.text).toContain('### 步骤');
		expect(messages[1]?.text).toContain('### Human\n这一行在代码里');
		expect(messages[2]).toMatchObject({text: 'thanks — and basil?', created_at: at('2024-12-08T16:20:00Z')});
	});

	test('bold names with times; CRLF and LF mixed, kept inside the words', async () => {
		const {conversations, warnings} = await run(load('bold.md'));
		expect(warnings.map(({detail}) => detail)).toEqual(['bold']);
		expect(said(conversations[0])).toEqual([
			'user What does `a ?? b` do?',
			'assistant It takes `b` when `a` is null.\r\n\r\n```js\nconst x = a ?? b; // 😀\n```',
			'user 懂了,谢谢!',
		]);
		expect(conversations[0]?.messages[1]).toMatchObject({speaker: 'Claude', created_at: at('2024-12-08T16:14:02Z')});
	});

	test('names in brackets: a talk among people', async () => {
		const {conversations} = await run(load('people.txt'));
		expect(conversations[0]?.kind).toBe('people');
		expect(conversations[0]?.messages.map(({speaker, text}) => `${speaker} ${text}`)).toEqual([
			'Alice did you book the train?',
			'小李 订了,周五早上八点 🚄\n第二行也是我说的',
			'Alice great, see [the map](https://example.org/map)',
		]);
		expect(conversations[0]?.messages.every(({created_at}) => created_at === null)).toBe(true);
	});

	test('Chinese names with full-width colons', async () => {
		const {conversations} = await run(load('colon-zh.txt'));
		expect(said(conversations[0])?.[1]).toBe('assistant 需要，前一晚十点后不要进食。\n水可以少喝一点。');
	});

	test.each(['heading.md', 'bold.md', 'people.txt', 'colon-zh.txt'])('%s is recognised by its content', name => {
		expect(idOf(load(name).toString())).toBe('markdown');
		expect(idOf(`\uFEFF${load(name)}`)).toBe('markdown');
	});
});

describe('styles', () => {
	test.each([
		['## User\n\na\n\n## Assistant\n\nb\n', 'heading'],
		['# User\na\n# ChatGPT\nb', 'heading'],
		['## 🧑 **User**:\na\n## 🤖 Assistant:\nb', 'heading'],
		['## Prompt:\na\n## Response:\nb', 'heading'],
		['#### You said:\na\n#### ChatGPT said:\nb', 'heading'],
		['# A talk\n\n## User\n\na\n\n## Assistant\n\nb', 'heading'],
		['**User:** a\n\n**Assistant:** b', 'bold'],
		['**You**\n\na\n\n**GPT-4o**\n\nb', 'bold'],
		['__Human__: a\n__Claude 3.5 Sonnet__: b', 'bold'],
		['[User]: a\n[Assistant]: b', 'bracket'],
		['[2024-12-08 16:13] User: a\n[2024-12-08 16:14] Claude: b', 'stamped'],
		['2024-12-08 16:13:52 - 我: a\n2024-12-08 16:14:00 - 助手: b', 'stamped'],
		['User: a\nAssistant: b', 'colon'],
		['Human: a\n\nAI: b', 'colon'],
		['我：a\nChatGPT：b', 'colon'],
		['用户: a\nClaude: b', 'colon'],
		['System: be brief\nUser: a\nAssistant: b', 'colon'],
	])('%j is a log', async (text, style) => {
		expect(idOf(text)).toBe('markdown');
		const {conversations, warnings} = await run(text);
		expect(warnings).toContainEqual({kind: 'assumed_style', where: 'memory.json', detail: style});
		expect(said(conversations[0])?.slice(-2)).toEqual(['user a', 'assistant b']);
	});

	test.each([
		['prose', 'It was late. The user said: hello.\nAssistant: none came.\n'],
		['prose that begins with a role', 'User: the person at the keyboard.\n\nThat is all there is to say.\n'],
		['a readme', '# Project\n\nRun it.\n\n## User\n\nguide\n\n## Assistant\n\nguide\n'],
		['a readme with labels', '# Project\n\n**User:** you\n\n**Host:** x\n'],
		['properties', 'user: root\nhost: x\nmodel: T480\nsystem: Linux\nmemory: 16GB\n'],
		['front matter', '---\ntitle: x\n---\n\nUser: a\nAssistant: b\n'],
		['link references', '[docs]: https://example.org\n[code]: https://example.org/code\n'],
		['footnotes', '[1]: one\n[2]: two\n'],
		['a log of a program', '2024-12-08 16:13:52 INFO: started\n2024-12-08 16:13:53 server: up\n'],
		['levels in brackets', '[INFO]: started\n[ERROR]: stopped\n'],
		['headings of no role', '## Alice\n\na\n\n## Bob\n\nb\n'],
		['colons', 'Alice: a\nBob: b\nAlice: c\n'],
		['one turn', '## User\n\nhello\n'],
		['one side in one style, the other in another', '## User\na\n\n**Assistant:** b\n\n## User\nc\n'],
		['role lines in code', '```\nUser: a\nAssistant: b\n```\n'],
		['nothing', ' \n'],
		['JSON', '{"a": 1}\nUser: a\nAssistant: b'],
		['broken JSON', '[{"a":"b"\nUser: a\nAssistant: b'],
		['a list in JSON', '["User: a",\nUser: a\nAssistant: b'],
	])('%s is no log', (_name, text) => {
		expect(idOf(text)).toBeNull();
	});

	test('B422 a block may hold several turns, and one side may speak twice: nothing is inferred', async () => {
		const {conversations} = await run('## User\n\none\n\ntwo\n\n## User\n\nthree\n\n## Assistant\n\nfour\n');
		expect(said(conversations[0])).toEqual(['user one\n\ntwo', 'user three', 'assistant four']);
		expect(said((await run('## User\n\na\n\n## User\n\nb\n')).conversations[0])).toEqual(['user a', 'user b']);
	});

	test('B606 lines in code that look like who speaks are part of the words', async () => {
		const code = '```\nUser: not me\n\n~~~\nAssistant: nor me\n```';
		const {conversations} = await run(`User: a\n${code}\nuser[3]: no\n<User x>\nAssistant: b\n~~~~\nUser: c\n~~~~`);
		expect(said(conversations[0])).toEqual([
			`user a\n${code}\nuser[3]: no\n<User x>`,
			'assistant b\n~~~~\nUser: c\n~~~~',
		]);
	});

	test('code that begins on the line of its speaker', async () => {
		const {conversations} = await run('User: ```\nAssistant: no\n```\nAssistant: b');
		expect(said(conversations[0])).toEqual(['user ```\nAssistant: no\n```', 'assistant b']);
	});

	test('a fence that is never closed is none', async () => {
		const {conversations} = await run('User: a\n```\nAssistant: b\nUser: c\n');
		expect(said(conversations[0])).toEqual(['user a\n```', 'assistant b', 'user c']);
	});

	test('in a log of user and assistant, other names and late system lines are part of the words', async () => {
		const {conversations} = await run('[User]: a\n[Claude]: b\n[Hint]: c\n[User]: d');
		expect(said(conversations[0])).toEqual(['user a', 'assistant b\n[Hint]: c', 'user d']);
		const late = await run('User: a\nAssistant: b\nSystem: Linux\nTool: hammer\nUser: c');
		expect(said(late.conversations[0])).toEqual(['user a', 'assistant b\nSystem: Linux\nTool: hammer', 'user c']);
	});

	test('rules between all messages are layout, and one in a message stays', async () => {
		const ruled = await run('## User\n\na\n\n---\n\n## Assistant\n\nb\n\n---\n\n## User\n\nc\n');
		expect(said(ruled.conversations[0])).toEqual(['user a', 'assistant b', 'user c']);
		const once = await run('## User\n\na\n\n---\n\n## Assistant\n\nb\n\n## User\n\nc\n');
		expect(said(once.conversations[0])?.[0]).toBe('user a\n\n---');
	});

	test('indentation, blank lines within and empty messages', async () => {
		const {conversations, skips} = await run('User:\n\n    code\n\n\n  more\n\nAssistant:\n\nUser: x\nAssistant: y');
		expect(said(conversations[0])).toEqual(['user     code\n\n\n  more', 'user x', 'assistant y']);
		expect(skips).toEqual(['empty_message']);
	});

	test('times: where they are stated, with and without a zone; what is no time is told', async () => {
		const {conversations, kinds} = await importText(
			markdown,
			'**A** (2024-12-08 16:13): a\n**B** - 2024/12/08 16:14:05+08:00\nb\n**Claude** (16:15)\nc\n**A** (2024-12-09)\nd',
			'Asia/Shanghai',
		);
		expect(conversations[0]?.messages.map(({created_at}) => created_at)).toEqual([
			at('2024-12-08T08:13:00Z'),
			at('2024-12-08T08:14:05Z'),
			null,
			at('2024-12-08T16:00:00Z'),
		]);
		expect(conversations[0]?.messages.map(({role, speaker}) => `${role} ${speaker}`)).toEqual([
			'user A',
			'user B',
			'assistant Claude',
			'user A',
		]);
		expect(kinds()).toContain('bad_time');
	});

	test('a program’s text in a log is not the user’s', async () => {
		const {conversations} = await run('User: <memos>x</memos>\nAssistant: a\nUser: b');
		expect(conversations[0]?.messages.map(({authorship}) => authorship)).toEqual(['injected', 'unknown', 'unknown']);
	});

	test('invalid bytes and NUL are told', async () => {
		const content = Buffer.concat([Buffer.from('User: a\0'), Buffer.from([0xff]), Buffer.from('\nAssistant: b')]);
		const {conversations, kinds} = await run(content);
		expect(said(conversations[0])).toEqual(['user a\uFFFD', 'assistant b']);
		expect(kinds()).toEqual(['invalid_utf8', 'nul_removed', 'assumed_style']);
	});
});

test('B110 a folder: logs are chats, a readme, notes and broken JSON are not; a named file must be one', async () => {
	const root = writeFiles(mkdtempSync(join(tmpdir(), 'hindcast-markdown-')), {
		'x/log.md': load('heading.md'),
		'x/README.md': readFileSync(new URL('../../../README.md', import.meta.url), 'utf8'),
		'x/notes.txt': 'Things to do:\n- User: call back\n',
		'x/broken.json': '[{"a":"hi"},\nUser: a\nAssistant: b',
	});
	const store = await memoryStore();
	try {
		const report = await importInto(store, [join(root, 'x')]);
		expect(report).toMatchObject({formats: {markdown: 1}, conversations: 1, skipped: {not_a_chat: 3}});
		expect(report.warnings).toMatchObject({assumed_style: 1});
		await expect(importInto(store, [join(root, 'x/README.md')])).rejects.toMatchObject({code: 'FORMAT_UNKNOWN'});
		const forced = importInto(store, [join(root, 'x/notes.txt')], {format: 'markdown'});
		await expect(forced).rejects.toMatchObject({code: 'FORMAT_MISMATCH'});
	} finally {
		store.close();
		rmSync(root, {recursive: true, force: true});
	}
});

test.each(['heading.md', 'bold.md', 'people.txt', 'colon-zh.txt'])(
	'damage anywhere in %s: nothing is thrown, and messages before it stay',
	async name => {
		const content = load(name);
		const turns = readLog(content.toString())?.turns ?? [];
		const whole = turns.map(({text}) => text);
		await fc.assert(
			fc.asyncProperty(damageOf(content), async ({at: byte, bytes}) => {
				const {conversations} = await run(bytes).catch(error => {
					expect(error).toBeInstanceOf(HindcastError);
					return {conversations: []};
				});
				const linesBefore = content.subarray(0, byte).toString().split('\n').length - 1;
				const intact = Math.max(0, turns.filter(({line}) => line <= linesBefore).length - 1);
				const texts = conversations[0]?.messages.map(({text}) => text) ?? [];
				// Two speakers are what makes it a log; with them there, what stands before the damage is read.
				if (intact > 0) expect(texts.slice(0, intact)).toEqual(whole.slice(0, intact));
				for (const draft of conversations) {
					finishConversation(draft, {format: 'markdown', source_id: 's', line: 'main'});
				}
			}),
			{seed: 20_260_314, numRuns: 120},
		);
	},
);

test('any text of marks and words: reading ends, and gives a log or nothing', () => {
	const piece = fc.constantFrom(
		'# ',
		'## User',
		'**',
		'User',
		': ',
		'\n',
		'\r\n',
		'```',
		'[',
		']',
		'---',
		' - ',
		'用户：',
		'(',
		')',
		'2024-12-08',
		'Claude',
		'\t',
	);
	fc.assert(
		fc.property(fc.array(piece, {maxLength: 40}), pieces => {
			const log = readLog(pieces.join(''));
			expect(log === null || log.turns.length >= 2).toBe(true);
		}),
		{seed: 20_260_314, numRuns: 400},
	);
});
