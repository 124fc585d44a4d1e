import {describe, expect, test} from 'vitest';
import type {Conversation, Message} from '../../../src/domain/conversation.js';
import {conversationChanged, mergeConversation} from '../../../src/stages/import/merge.js';
import {message} from '../../property/builders.js';

const conversation = (updated_at: number | null, over: Partial<Conversation> = {}): Conversation => ({
	conversation_id: 'v_1',
	source_id: 's_1',
	native_id: 'n_1',
	title: 'a',
	created_at: 1,
	updated_at,
	kind: 'assistant',
	line: 'main',
	do_not_remember: false,
	extra: null,
	...over,
});
const said = (id: string, text = id, over: Partial<Message> = {}): Message =>
	message(0, text, 1, {message_id: id, ...over});
const list = (...messages: Message[]): Message[] => messages.map((item, seq) => ({...item, seq}));
const merge = (stored: Message[], fresh: Message[], times: [number | null, number | null] = [1, 2]) =>
	mergeConversation(
		{conversation: conversation(times[0]), messages: stored},
		{conversation: conversation(times[1]), messages: fresh},
	);
const texts = (messages: readonly Message[]) =>
	messages.map(({message_id, text}) => (message_id === text ? text : `${message_id}=${text}`)).join(' ');

describe('a newer export', () => {
	test('adds what is new, keeps what it lacks after what it followed, and numbers all anew', () => {
		const merged = merge(list(said('a'), said('b'), said('c')), list(said('a'), said('c'), said('d')));
		expect(texts(merged.messages)).toBe('a b c d');
		expect(merged.messages.map(({seq}) => seq)).toEqual([0, 1, 2, 3]);
		expect(merged).toMatchObject({added: 1, updated: 0, unchanged: 3, changed: []});
	});

	test('keeps at the front what stood before everything that it has', () => {
		expect(texts(merge(list(said('x'), said('y'), said('a')), list(said('a'))).messages)).toBe('x y a');
		expect(texts(merge(list(said('x')), list(said('a'))).messages)).toBe('x a');
	});

	test('updates a changed message and names the old row where its text, time or visibility changed', () => {
		const stored = list(said('a', 'old'), said('b'), said('c'));
		const merged = merge(
			stored,
			list(said('a', 'new'), said('b', 'b', {created_at: 9}), said('c', 'c', {is_visible: false})),
		);
		expect(texts(merged.messages)).toBe('a=new b c');
		expect(merged).toMatchObject({added: 0, updated: 3, unchanged: 0});
		expect(merged.changed.map(({text}) => text)).toEqual(['old', 'b', 'c']);
	});

	test('of the same content changes nothing, wherever it stands', () => {
		const merged = merge(list(said('a'), said('b')), list(said('b'), said('a')));
		expect(texts(merged.messages)).toBe('b a');
		expect(merged).toMatchObject({added: 0, updated: 0, unchanged: 2, changed: []});
	});
});

test('an older export only adds', () => {
	const merged = merge(list(said('a', 'new')), list(said('a', 'old'), said('b')), [2, 1]);
	expect(texts(merged.messages)).toBe('a=new b');
	expect(merged).toMatchObject({added: 1, updated: 0, unchanged: 1, conversation: {updated_at: 2}});
});

test('a conversation stays in its line, and its own row changes only by what it says', () => {
	const moved = mergeConversation(
		{conversation: conversation(1), messages: []},
		{conversation: conversation(2, {line: 'other'}), messages: []},
	);
	expect(moved.conversation).toMatchObject({line: 'main', updated_at: 2});
	expect(conversationChanged(conversation(1), conversation(1, {source_id: 's_2'}))).toBe(false);
	for (const change of [{title: 'b'}, {do_not_remember: true}, {updated_at: 2}]) {
		expect(conversationChanged(conversation(1), {...conversation(1), ...change})).toBe(true);
	}
});
