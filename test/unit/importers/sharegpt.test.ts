import {readFileSync} from 'node:fs';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {HindcastError} from '../../../src/errors.js';
import {finishConversation} from '../../../src/importers/finish.js';
import type {ConversationDraft} from '../../../src/importers/port.js';
import {layoutOf} from '../../../src/importers/prefix.js';
import {importers} from '../../../src/importers/registry.js';
import {sharegpt} from '../../../src/importers/sharegpt.js';
import {detect} from '../../../src/importers/sniff.js';
import {damageOf} from '../../fixtures/importers/claude-code/build.js';
import {fixture, importText, ndjson} from './helpers.js';

const example = readFileSync(fixture('sharegpt/data.json'));
const run = (value: unknown) => importText(sharegpt, typeof value === 'string' ? value : JSON.stringify(value));
const said = (draft: ConversationDraft | undefined) => draft?.messages.map(({role, text}) => `${role} ${text}`);
const turn = (from: string, value: unknown) => ({from, value});
const talk = [turn('human', '早'), turn('gpt', '早上好 ☀️')];

test('the example: ids, roles, tables, tools', async () => {
	const {conversations, warnings} = await run(example.toString());
	expect(warnings).toEqual([]);
	expect(conversations.map(({native_id}) => native_id)).toEqual(['identity_0', 'tools_1', null]);
	expect(said(conversations[0])?.[1]).toBe('user 番茄炒蛋先放蛋还是先放番茄?🍅');
	expect(conversations[1]?.extra).toEqual({tools: '[{"name":"weather"}]'});
	expect(conversations[1]?.messages.map(({is_visible}) => is_visible)).toEqual([true, false, false, true, true]);
});

describe('layouts', () => {
	test.each([
		['an array', JSON.stringify([{conversations: talk}, {conversations: talk}]), 2],
		['lines', ndjson({conversations: talk}, {conversations: talk}), 2],
		['one object', JSON.stringify({id: 7, conversations: talk}), 1],
		['B117 with a BOM', `\uFEFF${JSON.stringify([{conversations: talk}])}`, 1],
	])('%s', async (_name, text, count) => {
		expect(detect(layoutOf(text, true), importers)?.id).toBe('sharegpt');
		const {conversations, warnings} = await run(text);
		expect(warnings).toEqual([]);
		expect(conversations.length).toBe(count);
		expect(said(conversations[0])).toEqual(['user 早', 'assistant 早上好 ☀️']);
	});

	test.each([
		[
			'a list of conversations in one object',
			'{"conversations":[{"messages":[{"role":"user","content":"x"}]}]}',
			'openai',
		],
		['Grok', '{"conversations":[{"conversation":{},"responses":[]}]}', undefined],
		['words that are no roles', '[{"conversations":[{"from":"a@b.c","value":"x"}]}]', undefined],
		['mail', '[{"conversations":[{"from":"human"}]}]', undefined],
	])('%s is not taken', (_name, text, id) => {
		expect(detect(layoutOf(text, true), importers)?.id).toBe(id);
	});
});

describe('roles', () => {
	test.each([
		['human', 'user'],
		['user', 'user'],
		['prompter', 'user'],
		['gpt', 'assistant'],
		['chatgpt', 'assistant'],
		['assistant', 'assistant'],
		['Assistant ', 'assistant'],
		['model', 'assistant'],
		['system', 'system'],
		['function_call', 'tool'],
		['observation', 'tool'],
		['tool_response', 'tool'],
	])('B410 from %s is %s', async (from, role) => {
		const {conversations} = await run([{conversations: [turn(from, 'x'), turn('human', 'y')]}]);
		expect(conversations[0]?.messages[0]).toMatchObject({role, text: 'x', raw: {from}});
	});

	test('B411 role and content under "conversations", and turns of tools', async () => {
		const {conversations, warnings} = await run([
			{
				conversations: [
					{role: 'user', content: 'q'},
					{role: 'function_call', content: '{}'},
					{role: 'observation', content: 'o'},
					{role: 'assistant', content: [{type: 'text', text: 'r'}]},
				],
			},
		]);
		expect(said(conversations[0])).toEqual(['user q', 'tool {}', 'tool o', 'assistant r']);
		expect(conversations[0]?.messages.map(({is_visible}) => is_visible)).toEqual([true, false, false, true]);
		expect(warnings).toEqual([]);
	});

	test('turns need not alternate, nor begin with the user', async () => {
		const list = [turn('gpt', 'a'), turn('gpt', 'b'), turn('human', 'c'), turn('human', 'd')];
		expect(said((await run([{conversations: list}])).conversations[0])).toEqual([
			'assistant a',
			'assistant b',
			'user c',
			'user d',
		]);
	});

	test('who wrote it: what a program put there is not the user’s', async () => {
		const {conversations} = await run([{conversations: [turn('human', '<memos>x</memos>'), ...talk]}]);
		expect(conversations[0]?.messages.map(({authorship}) => authorship)).toEqual(['injected', 'unknown', 'unknown']);
		expect(conversations[0]?.messages[0]?.is_visible).toBe(false);
	});
});

describe('what is odd', () => {
	test('costs one turn or one record', async () => {
		const {conversations, kinds, skips} = await run([
			{conversations: [turn('human', 'a'), 3, turn('who', 'b'), {from: 'gpt'}, turn('gpt', 'c')]},
			{text: 'no talk'},
			{conversations: []},
			{conversations: talk},
		]);
		expect(said(conversations[0])).toEqual(['user a', 'assistant c']);
		expect(conversations.length).toBe(2);
		expect(kinds()).toEqual(['unknown_record', 'unknown_role', 'unknown_content', 'unknown_record']);
		expect(skips).toEqual(['empty_conversation']);
	});

	test('an id that comes again is another conversation', async () => {
		const {conversations, kinds} = await run([
			{id: 'x', conversations: talk},
			{id: 'x', conversations: [turn('human', 'other')]},
		]);
		expect(conversations.map(({native_id}) => native_id)).toEqual(['x', 'x#2']);
		expect(kinds()).toEqual(['duplicate_conversation_id']);
	});

	test('damage anywhere: nothing is thrown, and conversations before it stay', async () => {
		const whole = (await importText(sharegpt, example)).conversations.map(said);
		// Where each conversation ends: at the brace of its own level.
		const ends = [...example.toString('latin1').matchAll(/^ \}/gm)].map(({index}) => index + 2);
		expect(ends.length).toBe(whole.length);
		await fc.assert(
			fc.asyncProperty(damageOf(example), async ({at, bytes}) => {
				const {conversations} = await importText(sharegpt, bytes).catch(error => {
					expect(error).toBeInstanceOf(HindcastError);
					return {conversations: []};
				});
				const intact = ends.filter(end => end < at).length;
				expect(conversations.map(said).slice(0, intact)).toEqual(whole.slice(0, intact));
				for (const draft of conversations) {
					finishConversation(draft, {format: 'sharegpt', source_id: 's', line: 'main'});
				}
			}),
			{seed: 20_260_314, numRuns: 120},
		);
	});
});
