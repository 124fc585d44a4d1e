import {describe, expect, test} from 'vitest';
import {Zone} from '../../../src/core/time.js';
import type {Message} from '../../../src/domain/conversation.js';
import {titleOf} from '../../../src/models/baseline/key-terms.js';
import {rulesExtractor} from '../../../src/models/baseline/rules.js';
import {sameEventAggregator} from '../../../src/models/baseline/same-event.js';
import {tagsOf} from '../../../src/models/baseline/tags.js';
import {verbatimExtractor} from '../../../src/models/baseline/verbatim.js';
import type {ExtractAnswer, Extractor} from '../../../src/models/tasks.js';
import {findViolations} from '../../../src/stages/aggregate/check-answer.js';
import {planBatches} from '../../../src/stages/aggregate/plan.js';
import {checkAnswer} from '../../../src/stages/extract/check-answer.js';
import {planWindows} from '../../../src/stages/extract/windows.js';
import {at, beat, card, conversation, MICROS, message} from '../../property/builders.js';

const T = at('2026-01-10T02:00:00Z');
const MINUTE = 60 * MICROS;
const windowsOf = (messages: readonly Message[], kind: 'assistant' | 'people' = 'assistant') =>
	planWindows(conversation(messages, kind), new Zone('Asia/Shanghai'), 'k_1');

async function answers(
	extractor: Extractor,
	messages: readonly Message[],
	assistantBeats: 'one' | 'all' = 'one',
	kind: 'assistant' | 'people' = 'assistant',
): Promise<ExtractAnswer[]> {
	const list: ExtractAnswer[] = [];
	for (const window of windowsOf(messages, kind)) {
		const answer = await extractor.extract(window, {assistantBeats});
		if (!answer.ok) throw new Error(answer.error);
		const {warnings, cards} = checkAnswer(window, answer.value, 'k_1', {assistantBeats});
		expect(warnings.filter(({kind}) => kind !== 'cards_over_limit')).toEqual([]);
		expect(cards.flatMap(({beats}) => beats).every(({verification}) => verification === 'exact')).toBe(true);
		list.push(answer.value);
	}
	return list;
}
const quotes = (list: readonly ExtractAnswer[]) =>
	list.map(({cards}) => cards.map(({beats}) => beats.map(({quote}) => quote)));

describe('verbatim', () => {
	test('makes a beat of every sentence of a person that is no acknowledgement', async () => {
		const said = [
			message(0, '好的。膝盖疼！I moved to Berlin. 😀', T),
			message(1, '我记住了。', T + 1, {role: 'assistant'}),
			message(2, '谢谢', T + 2),
		];
		expect(quotes(await answers(verbatimExtractor, said))).toEqual([[['膝盖疼！', 'I moved to Berlin. 😀']]]);
		expect(quotes(await answers(verbatimExtractor, said, 'all'))).toEqual([
			[['膝盖疼！', 'I moved to Berlin. 😀', '我记住了。']],
		]);
	});

	test('a pause of more than half an hour, a turn of the topic or eight beats end a card', async () => {
		const pause = [
			message(0, '膝盖疼。', T),
			message(1, '医生看过。', T + 30 * MINUTE),
			message(2, '今天吃面。', T + 61 * MINUTE),
		];
		expect(quotes(await answers(verbatimExtractor, pause))).toEqual([[['膝盖疼。', '医生看过。'], ['今天吃面。']]]);
		const dip = [
			message(0, '膝盖疼。膝盖肿。膝盖红。', T),
			message(1, 'Berlin flat search', T + 1),
			message(2, 'Berlin flat rent', T + 2),
		];
		expect(quotes(await answers(verbatimExtractor, dip))[0]).toHaveLength(2);
		const many = [message(0, Array.from({length: 10}, (_, i) => `膝盖第${i}次疼。`).join(''), T)];
		expect(quotes(await answers(verbatimExtractor, many))[0]!.map(beats => beats.length)).toEqual([8, 2]);
	});

	test('quotes no sentence twice, however windows overlap', async () => {
		const said = Array.from({length: 11}, (_, seq) => message(seq, `膝盖第${seq}次疼。`, T + seq));
		const all = quotes(await answers(verbatimExtractor, said)).flat(2);
		expect(all).toEqual(said.map(({text}) => text));
	});

	test('the note says by rule who spoke, to whom, and after which line', async () => {
		const said = [
			message(0, `${'问'.repeat(80)}？`, T, {role: 'assistant'}),
			message(1, '膝盖疼。', T + 1),
			message(2, 'It hurts.', T + 2),
		];
		const notes = (await answers(verbatimExtractor, said))[0]!.cards.flatMap(({beats}) =>
			beats.map(({context_note}) => context_note),
		);
		expect(notes).toEqual([`用户对助手说，前一句：${'问'.repeat(59)}…`, 'user goes on after: 膝盖疼。']);
		const people = [
			message(0, 'I paint.', T, {speaker: 'Ann'}),
			message(1, 'I sing.', T + 1, {role: 'assistant', speaker: 'Bo'}),
		];
		const named = (await answers(verbatimExtractor, people, 'one', 'people'))[0]!.cards.flatMap(({beats}) =>
			beats.map(({context_note}) => context_note),
		);
		expect(named).toEqual(['Ann says', 'Bo to Ann, after: I paint.']);
	});
});

describe('rules', () => {
	test('takes only what the lexicon marks, with its family as a tag, and lists the rest as not carded', async () => {
		const said = [
			message(0, '我昨晚失眠了。天气不错。', T),
			message(1, "I don't know. From now on I drink water.", T + 1),
		];
		const [answer] = await answers(rulesExtractor, said);
		expect(answer!.cards.map(({tags, beats}) => [tags[0], beats.map(({quote}) => quote)])).toEqual([
			['身体', ['我昨晚失眠了。']],
			['偏好', ['From now on I drink water.']],
		]);
		expect(answer!.events.map(({carded, reason}) => [carded, reason])).toEqual([
			[true, 'body'],
			[false, 'a negation, but no other cue'],
			[false, 'a negation, but no other cue'],
			[true, 'preference'],
		]);
	});
});

describe('the same-event review', () => {
	const of = (...cards: ReturnType<typeof card>[]) => planBatches('main', '2026-01-10', cards, 'k_2')[0]!;
	const review = async (...cards: ReturnType<typeof card>[]) => {
		const batch = of(...cards);
		const answer = await sameEventAggregator.aggregate(batch, []);
		if (!answer.ok) throw new Error(answer.error);
		expect(findViolations(batch, answer.value)).toEqual([]);
		return answer.value.cards.map(({source_card_ids}) => source_card_ids);
	};
	const one = (id: string, message_id: string, quote: string, minutes = 0, over = {}) =>
		card(id, [beat(id, 0, {message_id, quote, observed_at: T + minutes * MINUTE})], over);

	test("joins cards that share half of the smaller one's messages, and neighbours with the same words", async () => {
		expect(await review(one('c_a', 'm_1', '膝盖疼'), one('c_b', 'm_1', '吃面'), one('c_c', 'm_2', '别的事'))).toEqual([
			['c_a', 'c_b'],
			['c_c'],
		]);
		expect(await review(one('c_a', 'm_1', 'my knee hurts'), one('c_b', 'm_2', 'the knee hurts', 60))).toEqual([
			['c_a', 'c_b'],
		]);
		expect(await review(one('c_a', 'm_1', 'my knee hurts'), one('c_b', 'm_2', 'the knee hurts', 121))).toEqual([
			['c_a'],
			['c_b'],
		]);
		expect(
			await review(
				one('c_a', 'm_1', 'my knee hurts'),
				one('c_b', 'm_2', 'the knee hurts', 1, {conversation_id: 'v_2'}),
			),
		).toEqual([['c_a'], ['c_b']]);
	});

	test('joins nothing beyond eight different beats', async () => {
		const full = (id: string) =>
			card(
				id,
				Array.from({length: 5}, (_, n) => beat(id, n, {message_id: 'm_1', quote: `${id} ${n}`})),
			);
		expect(await review(full('c_a'), full('c_b'))).toEqual([['c_a'], ['c_b']]);
	});
});

test('titles are the most frequent words of content, in the order of the text', () => {
	expect(titleOf(['I moved to Berlin and the flat in Berlin is loud'])).toBe('moved · berlin · flat · loud');
	expect(titleOf(['膝盖疼', '膝盖疼', '浓茶'])).toBe('膝盖疼 · 浓茶');
	expect(titleOf(['的了'])).toBe('的了');
	expect(titleOf([])).toBe('');
	expect(titleOf(['constructor __proto__ toString'])).toBe('constructor · proto · tostring');
});

test('tags are those of the lexicon whose words stand in the text, Latin ones as whole words', () => {
	expect(tagsOf('昨晚失眠，和妈妈说好下次再试')).toEqual(['身体', '约定', '家人']);
	expect(tagsOf('My doctor likes catalogs')).toEqual(['身体']);
	expect(tagsOf('')).toEqual([]);
});
