import {readFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {claude} from '../../../src/importers/claude.js';
import {manifestParts} from '../../../src/importers/claude-parts.js';
import {layoutOf} from '../../../src/importers/prefix.js';
import {importers} from '../../../src/importers/registry.js';
import {detect} from '../../../src/importers/sniff.js';
import {fixture, importText} from './helpers.js';

const load = (name: string) => readFile(fixture(`claude/${name}`), 'utf8');
const taker = (text: string) => detect(layoutOf(text, true), importers)?.id;

describe('parts that hold no chats', () => {
	test.each([
		['memories.json', 'provider_memory'],
		['users.json', 'account_data'],
		['project.json', 'project'],
	])('B103 %s is known, left out and counted, as a list or alone', async (name, reason) => {
		const value: unknown = JSON.parse(await load(name));
		const alone = Array.isArray(value) ? value[0] : value;
		for (const text of [JSON.stringify([alone]), JSON.stringify(alone)]) {
			expect(taker(text)).toBe('claude');
			const {drafts, skips, warnings} = await importText(claude, text);
			expect({drafts, skips, warnings}).toEqual({drafts: [], skips: [reason], warnings: []});
		}
	});

	test('B103 a manifest: it says that no chats are in it and which part to fetch', async () => {
		const text = await load('manifest.json');
		expect(taker(text)).toBe('claude');
		const {drafts, warnings} = await importText(claude, text);
		expect(drafts).toEqual([]);
		expect(warnings).toMatchObject([{kind: 'manifest_without_chats', where: 'memory.json'}]);
		expect(warnings[0]?.detail).toMatch(
			/holds no chats: fetch conversations-000\.zip from .*import those \(memories-000\.zip, projects-000\.zip, users-000\.zip: no chats\)/,
		);
	});

	test.each([
		[
			'a name in the query',
			{a: ['https://x.org/blob?filename=conversations-001.zip&sig=%ZZ']},
			['conversations-001.zip'],
		],
		['batches', {links: ['https://x.org/data-ab12-batch-0000.zip']}, ['data-ab12-batch-0000.zip']],
		['a word about it', {a: 'see conversations-000.zip'}, []],
		['a message', {messages: [{role: 'user', content: 'https://x.org/conversations-000.zip'}]}, []],
		['another link', {a: 'https://x.org/a.zip'}, []],
		['no object', ['https://x.org/conversations-000.zip'], []],
	])('a manifest or not: %s', (_name, value, parts) => {
		expect(manifestParts(value)).toEqual(parts);
	});
});

describe('design chats', () => {
	test('what the user put in while the assistant was at work is a message of the user in its place', async () => {
		const text = await load('design.json');
		expect(taker(text)).toBe('claude');
		const {conversations, warnings} = await importText(claude, text);
		expect(warnings).toEqual([]);
		expect(conversations).toMatchObject([{title: 'Poster for the choir', extra: {project: {name: 'Choir'}}}]);
		const id = 'de510000-0000-4000-8000-000000000012';
		expect(conversations[0]?.messages).toMatchObject([
			{role: 'user', text: 'A poster for our spring concert, A2, in two colours.', attachments: [{name: 'logo.svg'}]},
			{native_id: id, role: 'assistant', text: "I'll start with the grid."},
			{
				native_id: `${id}#1`,
				role: 'user',
				authorship: 'human',
				text: 'Please leave room for the sponsors at the bottom.',
			},
			{native_id: `${id}#2`, role: 'assistant', text: 'Done: a band of 4 cm stays free at the bottom.'},
		]);
	});

	test('odd messages are named, odd blocks too', async () => {
		const message = (content: unknown) => ({uuid: 'm', role: 'assistant', content});
		const value = {
			uuid: 'd',
			project: null,
			messages: [
				message({contentBlocks: [{type: 'sparkle'}, {type: 'text', text: 'x'}]}),
				message('plain'),
				{...message({content: 'bare'}), uuid: 'n'},
				{uuid: 'o', role: 'user'},
				{content: {}},
				1,
			],
		};
		const {conversations, warnings} = await importText(claude, JSON.stringify(value));
		expect(conversations[0]?.messages.map(({text}) => text)).toEqual(['x', 'plain', 'bare', '']);
		expect(warnings.map(({kind, detail}) => `${kind} ${detail}`)).toEqual([
			'unknown_part sparkle',
			'unknown_role none',
			'unknown_record none',
		]);
	});
});
