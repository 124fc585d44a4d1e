import {describe, expect, test} from 'vitest';
import type {JudgeInput} from '../../../src/models/tasks.js';
import {gate} from '../../../src/stages/gate/gate.js';
import {JUDGE_OVERLAP_MIN, JUDGE_Z_MIN} from '../../../src/stages/judge/constants.js';
import {baselineJudge, openJudge} from '../../../src/stages/judge/judge.js';
import {buildQueries} from '../../../src/stages/recall/query.js';
import {beatText, titleText} from '../../../src/stages/recall/texts.js';
import {memoryCard} from '../../property/builders.js';

const PREFACE = '（记录前言：以下是过去的事，属于当时，使用由当轮 Claude 判断。）';
const SEPARATOR = '【以上为隐藏交接与动态上下文，以下是用户本轮消息】';

describe('buildQueries', () => {
	test('Q1 is the cleaned message, Q2 the messages before it and then the message, a line each', () => {
		expect(buildQueries(' 今晚喝什么好呢？', ['一', '二', '三'], 400)).toEqual({
			q1: '今晚喝什么好呢？',
			q2: '一\n二\n三\n今晚喝什么好呢？',
		});
		expect(buildQueries('今晚？', [], 400)).toEqual({q1: '今晚？', q2: '今晚？'});
	});

	test('each text of Q2 is cut to 400 code points, the message too; Q1 is whole', () => {
		const long = '😀'.repeat(401);
		const {q1, q2} = buildQueries(long, [long, '短'], 400);
		expect(q1).toBe(long);
		expect(q2).toBe(['😀'.repeat(400), '短', '😀'.repeat(400)].join('\n'));
	});

	test('texts are cleaned before they are cut, and what cleaning empties is left out', () => {
		const injected = `<system-reminder>${'忘'.repeat(500)}</system-reminder>`;
		expect(buildQueries('问', [`${injected}真话`, injected, '[[resident]]\n常驻\n[[/resident]]'], 400).q2).toBe(
			'真话\n问',
		);
	});

	test("a message that carries what was recalled for it is only the user's own words", () => {
		const card =
			'〔用户调整晚间饮品〕 · 2026-01-10 ~ 2026-01-10 · 共 1 拍\n  2026-01-10 · 用户：「晚上那杯浓茶让我睡不着。」';
		expect(buildQueries(`${PREFACE}\n${card}\n\n${SEPARATOR}\n今晚喝什么好呢？`, [], 400).q1).toBe('今晚喝什么好呢？');
	});
});

describe('gate', () => {
	test.each([
		['', 'empty'],
		[' \n', 'empty'],
		['😀😀', 'emoji'],
		['……？！', 'emoji'],
		['👍🏽 ❤️', 'emoji'],
		['好的', 'acknowledgement'],
		['嗯嗯嗯嗯', 'acknowledgement'],
		['好的，谢谢！', 'acknowledgement'],
		['OK, thanks!', 'acknowledgement'],
		['ＯＫ', 'acknowledgement'],
		['哈哈哈哈哈😂', 'acknowledgement'],
		['继续', 'acknowledgement'],
	])('%j needs no recall: %s', (text, rule) => {
		expect(gate(text)).toEqual({kind: 'exempt', rule});
	});

	test.each([
		'茶',
		'疼',
		'why',
		'好的，但是膝盖还疼',
		'继续说茶的事',
		'ok so what did I decide?',
		'3',
		'不',
		'我累',
		'thanks to my doctor I sleep',
	])('%j passes: rules look at words, never at length', text => {
		expect(gate(text)).toEqual({kind: 'pass'});
	});
});

describe('the judge without a model', () => {
	const input = (...segments: [number, number][]): JudgeInput => ({
		target: '',
		segments: segments.map(([overlap, z]) => ({text: '', overlap, z})),
	});
	const verdict = async (...segments: [number, number][]) => {
		const answer = await baselineJudge.judge(input(...segments));
		return answer.ok ? answer.value : null;
	};

	test('finds a segment useful when its words cover enough, or when its best beat stands out', async () => {
		expect(
			await verdict([JUDGE_OVERLAP_MIN, 0], [0, JUDGE_Z_MIN], [JUDGE_OVERLAP_MIN - 1e-9, JUDGE_Z_MIN - 1e-9]),
		).toEqual({label: 'useful', wire: '有用', segs: [1, 2]});
	});

	test('says none without segments when nothing does, never harmful', async () => {
		expect(await verdict([0, -Infinity], [0.1, 0])).toEqual({label: 'none', wire: '没用', segs: []});
		expect(await verdict()).toEqual({label: 'none', wire: '没用', segs: []});
	});

	test('turned off, it lets everything through', async () => {
		expect(await openJudge.judge(input([0, 0], [0, 0]))).toEqual({
			ok: true,
			value: {label: 'useful', wire: '有用', segs: [1, 2]},
		});
	});
});

describe('indexed texts', () => {
	const card = memoryCard('c_1', ['晚上那杯浓茶让我睡不着。'], 0, {title: '晚间饮品', tags: ['饮食', '身体']});
	const beat = {...card.beats[0]!, context_note: '身体反馈', preceding: 'assistant: 怎么了？'};

	test('M2 is title and tags, M4 title, tags, note and quote', () => {
		expect(titleText(card)).toBe('晚间饮品\n饮食 身体');
		expect(beatText(card, beat, 'plain')).toBe('晚间饮品\n饮食 身体\n身体反馈\n晚上那杯浓茶让我睡不着。');
	});

	test('with context it is who said it, and the line before', () => {
		expect(beatText(card, beat, 'context')).toBe('user: 晚上那杯浓茶让我睡不着。\nassistant: 怎么了？');
		expect(beatText(card, {...beat, preceding: null, speaker: null}, 'context')).toBe('晚上那杯浓茶让我睡不着。');
	});
});
