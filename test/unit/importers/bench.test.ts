import {readdirSync} from 'node:fs';
import {readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {bench} from '../../../src/importers/bench.js';
import {layoutOf} from '../../../src/importers/prefix.js';
import {benchFolder, fixture, importText} from './helpers.js';

const read = (name: string) => readFile(fixture(`bench/${name}`), 'utf8');

describe('a small set', () => {
	test('rows: the line is the conversation_id, the conversation the session, in order of time and natural id', async () => {
		const {conversations, warnings} = await importText(bench, await read('conversations.jsonl'));
		expect(conversations).toMatchObject([
			{native_id: 'b:1:s1', line: 'b:1', kind: 'assistant', messages: [{native_id: 'b:1:2'}, {native_id: 'b:1:10'}]},
			{native_id: 'b:2:s1', line: 'b:2', kind: 'people'},
			{
				native_id: 'b:2:s2',
				line: 'b:2',
				kind: 'people',
				messages: [{role: 'assistant', authorship: 'human', speaker: 'Max'}],
			},
			{native_id: 'b:3:s1', line: 'b:3', kind: 'assistant'},
		]);
		expect(conversations[0]?.messages.map(({authorship}) => authorship)).toEqual(['human', 'unknown']);
		expect(conversations[3]?.messages[0]).toMatchObject({role: 'user', authorship: 'human', raw: {role: 'memory'}});
		expect(warnings).toEqual([]);
	});

	test('any order of the rows gives the same conversations', async () => {
		const text = await read('conversations.jsonl');
		const load = async (content: string) => {
			const {conversations} = await importText(bench, content);
			return conversations.sort((a, b) => (`${a.native_id}` < `${b.native_id}` ? -1 : 1));
		};
		const expected = await load(text);
		const lines = text.trim().split('\n');
		await fc.assert(
			fc.asyncProperty(fc.shuffledSubarray(lines, {minLength: lines.length}), async shuffled => {
				expect(await load(shuffled.join('\n'))).toEqual(expected);
			}),
			{seed: 5, numRuns: 20},
		);
	});

	test('queries become questions, what is special to a set stays in extra', async () => {
		const {questions} = await importText(bench, await read('queries.jsonl'));
		expect(questions).toMatchObject([
			{
				native_id: 'b:1:q0',
				line: 'b:1',
				evidence_native_ids: ['b:1:2'],
				answer: 'two',
				answerable: true,
				extra: {choices: {A: 'two'}},
			},
			{native_id: 'b:1:q1', answer: null, answerable: false, context: ['Kim: hm'], extra: null},
		]);
		expect(questions[0]?.asked_at).toBe(Date.parse('2024-02-01T00:00:00Z') * 1000);
	});

	test('gold memories are counted, other lines warned about', async () => {
		const gold = '{"memory_id":"m","conversation_id":"c","text":"t","source_message_ids":[]}';
		const {drafts, skips, kinds} = await importText(bench, `${gold}\n${gold}\n{"a":1}\n`);
		expect([drafts.length, skips, kinds()]).toEqual([0, ['gold_memory', 'gold_memory'], ['unknown_record']]);
	});

	test.each(['conversations.jsonl', 'queries.jsonl'])('%s is recognised, also one line of it', async name => {
		const text = await read(name);
		expect(bench.sniff(layoutOf(text, true))).toBe(true);
		expect(bench.sniff(layoutOf(text.split('\n')[0] ?? '', true))).toBe(true);
	});
});

const folder = benchFolder();
const sets = folder
	? readdirSync(folder, {withFileTypes: true})
			.filter(item => item.isDirectory())
			.map(({name}) => name)
	: [];
describe.skipIf(!folder)(`the shared sets${folder ? '' : ' (skipped: not on this machine)'}`, () => {
	test.each(sets)(
		'%s: the order of time and id is that of the file, evidence names messages, and the kind is right',
		async name => {
			const content = await readFile(join(folder ?? '', name, 'conversations.jsonl'), 'utf8');
			const {conversations, warnings} = await importText(bench, content);
			const rows = content
				.trim()
				.split('\n')
				.map(line => JSON.parse(line) as {session_id: string; message_id: string});
			const ofFile = groupBySession(rows);
			expect(warnings).toEqual([]);
			expect(conversations.length).toBe(ofFile.size);
			// People talk in some sets, a model answers in the others.
			const kind = /locomo|smile/.test(name) ? 'people' : 'assistant';
			expect(new Set(conversations.map(draft => draft.kind))).toEqual(new Set([kind]));
			for (const {native_id, messages} of conversations) {
				expect(messages.map(message => message.native_id)).toEqual(
					ofFile.get(native_id ?? '')?.map(row => row.message_id),
				);
			}
			const path = join(folder ?? '', name, 'queries.jsonl');
			if ((await stat(path)).size === 0) return;
			const {questions, warnings: odd} = await importText(bench, await readFile(path));
			expect(odd).toEqual([]);
			const lines = new Map(
				conversations.flatMap(({line, messages}) => messages.map(({native_id}) => [native_id, line])),
			);
			expect(questions.flatMap(({line, evidence_native_ids: ids}) => ids.filter(id => lines.get(id) !== line))).toEqual(
				[],
			);
		},
	);
});

function groupBySession<T extends {session_id: string}>(rows: readonly T[]): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const row of rows) groups.set(row.session_id, [...(groups.get(row.session_id) ?? []), row]);
	return groups;
}
