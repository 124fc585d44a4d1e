import {describe, expect, test} from 'vitest';
import {otherProduct} from '../../../src/importers/other-products.js';
import {layoutOf} from '../../../src/importers/prefix.js';
import {formatIds, importerOf, importers} from '../../../src/importers/registry.js';
import {detect, formatUnknown, sampleOf} from '../../../src/importers/sniff.js';
import {memoryFile} from './helpers.js';

const message = (text: string) => formatUnknown('in.json', layoutOf(text, true), importers).message;

describe('detect', () => {
	test.each([
		['openai', '{"messages":[{"role":"user","content":"x"}]}'],
		['locomo', '[{"sample_id":"s","conversation":{"speaker_a":"A","speaker_b":"B"}}]'],
		['claude', '[{"uuid":"u","chat_messages":[]}]'],
		['claude-code', '{"type":"user","sessionId":"s","message":{"role":"user","content":"x"}}'],
		['claude-code', '{"sessionId":"s","parentUuid":null,"type":"user"}'],
		['sharegpt', '[{"conversations":[{"from":"human","value":"x"}]}]'],
		['markdown', '## User\n\nx\n\n## Assistant\n\ny'],
		['chatgpt', '[{"mapping":{"a":{"message":{"author":{"role":"user"},"content":{"parts":["x"]}}}}}]'],
		[
			'bench',
			'{"conversation_id":"c","session_id":"s","message_id":"m","role":"user","text":"t","created_at":"2024-01-01"}',
		],
	])('%s by content', (id, text) => {
		expect(detect(layoutOf(text, true), importers)?.id).toBe(id);
	});

	test('B117 a BOM does not matter, nor does the name of the file', async () => {
		const file = memoryFile('\uFEFF{"messages":[{"role":"user","content":"x"}]}', {path: 'readme.md'});
		expect(detect(await sampleOf(file), importers)?.id).toBe('openai');
	});

	test('a conversation that is longer than the sample is recognised', async () => {
		const file = memoryFile(JSON.stringify({messages: [{role: 'user', content: '长'.repeat(400_000)}]}));
		expect(detect(await sampleOf(file), importers)?.id).toBe('openai');
	});

	test('B110 a JSON file that nothing takes never counts as text', async () => {
		for (const text of ['{"a":1}', '[{"a":1}', '[1,2', '{"a":', '{\n"a":oops\n}']) {
			const sample = await sampleOf(memoryFile(text));
			expect(sample.shape).not.toBe('text');
			expect(detect(sample, importers)).toBeNull();
		}
	});

	test('the registry knows its ids', () => {
		expect(formatIds.join()).toBe('locomo,bench,claude-code,claude,chatgpt,sharegpt,openai,markdown');
		expect(importerOf('bench')?.id).toBe('bench');
		expect(importerOf('nonsense')).toBeNull();
	});
});

describe('the message when nothing fits', () => {
	test('B109 names the file, what was looked for and the first keys; control characters are shown, not obeyed', () => {
		const text = message(
			JSON.stringify([
				{alpha: 1, 'be\u001b[31mta': 2, ...Object.fromEntries([...'abcdefghijklmnop'].map(key => [key, 0]))},
			]),
		);
		expect(text).toMatch(/^in\.json is in no format that is known\. Looked for: locomo \(.*bench \(.*openai \(/);
		expect(text).toContain('Found: a JSON array with the keys alpha, be\\u001b[31mta, a, b');
		expect(text).toContain(', …');
	});

	test.each([
		['text', 'text that is no JSON'],
		['', 'nothing, the file is empty'],
		[' \n', 'nothing but white space'],
		['\u0089PNG\r\n\uFFFD\uFFFD\uFFFD', 'data that is no text'],
		['[]', 'a JSON array of nothing'],
		['[1]', 'a JSON array of numbers'],
		['{}', 'one JSON object with the keys (none)'],
	])('%s', (content, found) => {
		expect(message(content)).toContain(`Found: ${found}.`);
	});

	test.each([
		['DeepSeek', [{mapping: {a: {message: {fragments: []}}}}]],
		['Codex CLI', {type: 'session_meta', payload: {}}],
		['Grok', {conversations: [{conversation: {}, responses: []}]}],
		['Open WebUI', [{chat: {history: {messages: {}}}}]],
		['LibreChat', {conversationId: 'c', messages: [], recursive: true}],
		['TypingMind', {data: {chats: [{chatID: 'x'}]}}],
		['SillyTavern', {user_name: 'u', character_name: 'c'}],
		['LM Studio', {messages: [{versions: [], currentlySelected: 0}]}],
		['Gemini Apps (Takeout)', [{header: 'Gemini Apps', title: 't', time: 'x', products: []}]],
	])('B101, B108 a %s export is called by its name', (product, value) => {
		const text = JSON.stringify(value);
		expect(otherProduct(layoutOf(text, true))).toBe(product);
		expect(message(text)).toContain(`this looks like a ${product} export, which this version cannot read yet`);
		expect(detect(layoutOf(text, true), importers)).toBeNull();
	});
});
