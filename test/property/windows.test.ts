import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Zone} from '../../src/core/time.js';
import type {Window} from '../../src/domain/card.js';
import {isPersonal, type Message} from '../../src/domain/conversation.js';
import {renderWindow} from '../../src/domain/window-text.js';
import {WINDOW_CHARS_MAX, WINDOW_USER_MESSAGES_MAX} from '../../src/stages/extract/constants.js';
import {planWindows} from '../../src/stages/extract/windows.js';
import {codePointLength, sliceCodePoints} from '../../src/text/code-points.js';
import {at, conversation, HOUR, message, SEED} from './builders.js';

const zone = new Zone('Asia/Shanghai');
const START = at('2026-01-10T01:00:00Z');
const PIECES = ['晚上那杯浓茶让我睡不着。', 'I moved to Berlin. ', '😀𠮷', '\n\n', 'x'.repeat(97), '第二段；', 'v2.1 '];

/** Mostly short texts of both languages, some empty, some far over the budget. */
const text = fc.oneof(
	{weight: 8, arbitrary: fc.array(fc.constantFrom(...PIECES), {minLength: 1, maxLength: 4}).map(list => list.join(''))},
	{weight: 1, arbitrary: fc.constantFrom('', ' ', '\n\n', '　')},
	{
		weight: 2,
		arbitrary: fc
			.tuple(fc.array(fc.constantFrom(...PIECES), {minLength: 1, maxLength: 4}), fc.integer({min: 50, max: 500}))
			.map(([list, times]) => list.join('').repeat(times)),
	},
);

interface Draft {
	readonly text: string;
	readonly role: 'user' | 'assistant';
	/** Hours since the start; they may go backwards. */
	readonly hour: number | null;
}

const draft: fc.Arbitrary<Draft> = fc.record({
	text,
	role: fc.constantFrom('user', 'user', 'assistant'),
	hour: fc.oneof({weight: 9, arbitrary: fc.integer({min: 0, max: 60})}, {weight: 1, arbitrary: fc.constant(null)}),
});
const toMessages = (drafts: readonly Draft[]): Message[] =>
	drafts.map((item, seq) =>
		message(seq, item.text, item.hour === null ? null : START + item.hour * HOUR, {role: item.role}),
	);

const messages = fc.array(draft, {maxLength: 14}).map(toMessages);
const kind = fc.constantFrom('assistant', 'people') as fc.Arbitrary<'assistant' | 'people'>;
const plan = (list: readonly Message[], of: 'assistant' | 'people' = 'assistant'): Window[] =>
	planWindows(conversation(list, of), zone, 'k_1');
const dayOf = ({created_at}: Pick<Message, 'created_at'>) => (created_at === null ? 'none' : zone.dayOf(created_at));
const check = (property: fc.IProperty<[Message[], 'assistant' | 'people']>) =>
	fc.assert(property, {seed: SEED, numRuns: 150});

describe('extraction windows of any conversation', () => {
	test('hold every code point of every non-empty message of a person', () => {
		check(
			fc.property(messages, kind, (list, of) => {
				const parts = plan(list, of).flatMap(window => window.parts);
				for (const said of list.filter(item => isPersonal(item, of) && item.text.trim() !== '')) {
					const spans = parts.filter(part => part.message_id === said.message_id).sort((a, b) => a.start - b.start);
					let covered = 0;
					for (const {start, end} of spans) if (start <= covered) covered = Math.max(covered, end);
					expect(covered).toBe(codePointLength(said.text));
				}
			}),
		);
	});

	test('stay within five messages of persons and 5500 code points as rendered', () => {
		check(
			fc.property(messages, kind, (list, of) => {
				for (const window of plan(list, of)) {
					const persons = new Set(window.parts.filter(part => part.personal).map(part => part.message_id));
					expect(persons.size).toBe(window.n_user);
					expect(window.n_user).toBeLessThanOrEqual(WINDOW_USER_MESSAGES_MAX);
					expect(window.n_chars).toBe(codePointLength(renderWindow(window)));
					expect(window.n_chars).toBeLessThanOrEqual(WINDOW_CHARS_MAX);
				}
			}),
		);
	});

	test('keep the order, and every part is the stretch of its message that its offsets name', () => {
		check(
			fc.property(messages, kind, (list, of) => {
				for (const window of plan(list, of)) {
					const places = window.parts.map(part => part.seq * 1e6 + part.start);
					expect(places).toEqual([...places].sort((a, b) => a - b));
					expect(new Set(places).size).toBe(places.length);
					for (const part of window.parts) {
						expect(part.text).toBe(sliceCodePoints(list[part.seq]!.text, part.start, part.end));
						expect(codePointLength(part.text)).toBe(part.end - part.start);
						// With the u flag a surrogate matches only where it is not half of a pair.
						expect(part.text).not.toMatch(/[\uD800-\uDFFF]/u);
					}
				}
			}),
		);
	});

	test('never cross a day of the memory zone, and know the latest message that they show', () => {
		check(
			fc.property(messages, kind, (list, of) => {
				for (const window of plan(list, of)) {
					const shown = window.parts.map(part => list[part.seq]!);
					expect(new Set(shown.map(dayOf))).toEqual(new Set([window.day]));
					const times = shown.flatMap(item => item.created_at ?? []);
					expect(window.seen_until).toBe(times.length === 0 ? null : Math.max(...times));
					expect(window.seen_until_seq).toBe(Math.max(...shown.map(item => item.seq)));
				}
			}),
		);
	});

	test('are the same from the same input, each with an id of its own', () => {
		check(
			fc.property(messages, kind, (list, of) => {
				const windows = plan(list, of);
				expect(plan(structuredClone(list), of)).toEqual(windows);
				expect(new Set(windows.map(window => window.window_id)).size).toBe(windows.length);
			}),
		);
	});

	test('of a run over everything are those of the runs day by day', () => {
		check(
			fc.property(messages, kind, (list, of) => {
				const days = [...new Set(list.map(dayOf))];
				const apart = days.flatMap(day =>
					plan(
						list.filter(item => dayOf(item) === day),
						of,
					),
				);
				expect(apart).toEqual(plan(list, of));
			}),
		);
	});

	test('always show something that no window before has shown', () => {
		check(
			fc.property(messages, kind, (list, of) => {
				const seen = new Set<string>();
				for (const window of plan(list, of)) {
					const keys = window.parts.map(part => `${part.message_id}:${part.start}`);
					expect(keys.some(key => !seen.has(key))).toBe(true);
					for (const key of keys) seen.add(key);
				}
			}),
		);
	});
});

test('windows of short messages hold five and step by three, so that neighbours share two', () => {
	fc.assert(
		fc.property(fc.integer({min: 1, max: 40}), count => {
			const list = Array.from({length: count}, (_, seq) => message(seq, `第${seq}句`, START + seq));
			const windows = plan(list).map(window => window.parts.map(part => part.seq));
			expect(new Set(windows.flat()).size).toBe(count);
			windows.forEach((seqs, n) => {
				expect(seqs).toEqual(Array.from({length: Math.min(5, count - 3 * n)}, (_, i) => 3 * n + i));
				if (n > 0) expect(seqs.slice(0, 2)).toEqual(windows[n - 1]!.slice(-2));
			});
		}),
		{seed: SEED, numRuns: 60},
	);
});
