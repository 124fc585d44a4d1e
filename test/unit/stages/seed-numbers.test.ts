import {expect, test} from 'vitest';
import {loadArm} from '../../../src/arms/arm.js';
import {Zone} from '../../../src/core/time.js';
import * as aggregate from '../../../src/stages/aggregate/constants.js';
import * as cropping from '../../../src/stages/crop/constants.js';
import {PREFACE, SEPARATOR} from '../../../src/stages/crop/render.js';
import * as extract from '../../../src/stages/extract/constants.js';
import {WIRE_LABELS} from '../../../src/stages/judge/judge.js';
import * as recall from '../../../src/stages/recall/constants.js';
import * as shortlist from '../../../src/stages/shortlist/constants.js';
import {DEFAULT_ZONE} from '../../../src/store/store.js';

// Every number of the first seed's part 一 that is a constant of the program, beside the sentence that gives it. The
// seed does not drift: a failure here means that the reference has been changed.
test.each([
	['切窗最多五条非空用户消息', extract.WINDOW_USER_MESSAGES_MAX, 5],
	['相邻重叠两条', extract.WINDOW_OVERLAP_MESSAGES, 2],
	['另受 5500 字符预算约束，长材料继续拆子窗', extract.WINDOW_CHARS_MAX, 5500],
	['用户可有多拍，Claude 每卡最多一拍', extract.ASSISTANT_BEATS_PER_CARD_MAX, 1],
	['Claude 每卡最多一拍、最多 60 字', extract.ASSISTANT_BEAT_CHARS_MAX, 60],
	['每窗六卡…是提示词要求，程序超量时保留并标警告', extract.CARDS_PER_WINDOW_MAX, 6],
	['每卡八拍是提示词要求，程序超量时保留并标警告', extract.BEATS_PER_CARD_MAX, 8],
	['仓内调度配置每天 UTC 22:00、北京时间次日 06:00 处理昨日材料', recall.NIGHTLY_CLOCK, '06:00'],
	['北京时间', new Zone(DEFAULT_ZONE).name, 'Asia/Shanghai'],
	['Q2 是最近三条 done 消息加当前消息', recall.CONTEXT_MESSAGES, 3],
	['Q2 各条最多 400 字符', recall.CONTEXT_MESSAGE_CHARS_MAX, 400],
	['当前默认卡路 Q1×M2、Q2×M4 各取前 20', recall.PER_ROUTE_MAX, 20],
	['加关系库按 Q1 取出的五条', recall.RELATION_MAX, 5],
	['去重并集后，加关系库按 Q1 取出的五条，上界 45', recall.POOL_MAX, 45],
	['关系库关闭时卡路默认各 25', recall.PER_ROUTE_MAX_ALONE, 25],
	['并集最多 50', recall.POOL_MAX_ALONE, 50],
	['quote 是最前两条 verified 拍', shortlist.INDEX_LINE_QUOTES, 2],
	['各最多 120 字符', shortlist.INDEX_LINE_QUOTE_CHARS_MAX, 120],
	['最多留 3 张，一张都不留也完全可以', shortlist.SHORTLIST_MAX, 3],
	['来源消息交集占较小集合比例 ≥0.5 视为同事', shortlist.SAME_EVENT_SHARE_MIN, 0.5],
	['事件卡裁剪至多 12 拍', cropping.CROP_BEATS_MAX, 12],
	['规范化长度至少四才参与', cropping.CONTAINED_LENGTH_MIN, 4],
	[
		'（记录前言：以下是过去的事，属于当时，使用由当轮 Claude 判断。）',
		PREFACE,
		'（记录前言：以下是过去的事，属于当时，使用由当轮 Claude 判断。）',
	],
	[
		'【以上为隐藏交接与动态上下文，以下是用户本轮消息】',
		SEPARATOR,
		'【以上为隐藏交接与动态上下文，以下是用户本轮消息】',
	],
	['第一行标签', WIRE_LABELS, {useful: '有用', none: '没用', harmful: '有害'}],
])('%s', (_, value, pinned) => {
	expect(value).toEqual(pinned);
});

test('身体、情绪、未结约定优先保留', () => {
	for (const tag of ['身体', '情绪', '未结约定', '约定', '身体反馈', 'body', 'mood', 'open agreement']) {
		expect(aggregate.PROTECTED_TAGS.test(tag), tag).toBe(true);
	}
	for (const tag of ['工程', 'somebody', 'moody']) expect(aggregate.PROTECTED_TAGS.test(tag), tag).toBe(false);
});

test("the spec's own budgets of the second review: 40 cards or 12 000 characters, one retry", () => {
	expect([aggregate.BATCH_CARDS_MAX, aggregate.BATCH_CHARS_MAX, aggregate.ATTEMPTS_MAX]).toEqual([40, 12_000, 2]);
});

test('the arm that is called seed is the seed: two vector routes, its sizes, its model, all beats as hits', () => {
	const arm = loadArm('seed');
	const {q1_m2, q2_m4, ...others} = arm.routes;
	expect([q1_m2, q2_m4]).toEqual([
		{top: 20, top_alone: 25},
		{top: 20, top_alone: 25},
	]);
	expect(Object.values(others).every(route => route === null)).toBe(true);
	expect(arm).toMatchObject({
		name: 'seed',
		embedder: 'bge-small-zh-v1.5',
		availability: 'nightly',
		include_dropped: false,
		gate: true,
		text: 'plain',
		context_messages: 3,
		context_chars: 400,
		relation: 'auto',
		relation_max: 5,
		order: 'best_route',
		shortlist: 'baseline',
		shortlist_max: 3,
		crop_beats_max: 12,
		hits: 'card',
		with_context_note: false,
		judge: 'baseline',
	});
});

test('the hybrid arm takes 20 cards by words, 25 without the relation slot, and orders by fusion', () => {
	expect(loadArm('hybrid')).toMatchObject({
		routes: {lexical: {top: 20, top_alone: 25}},
		order: 'fusion',
		shortlist_max: 3,
		crop_beats_max: 12,
	});
});
