import {expect, test} from 'vitest';
import {loadArm} from '../../src/arms/arm.js';
import type {Conversation, Message} from '../../src/domain/conversation.js';
import {hashedEmbedder} from '../../src/embedders/hashed.js';
import {sameEventAggregator} from '../../src/models/baseline/same-event.js';
import {verbatimExtractor} from '../../src/models/baseline/verbatim.js';
import type {Aggregator} from '../../src/models/tasks.js';
import {silentProgress} from '../../src/ports/progress.js';
import {aggregate} from '../../src/stages/aggregate/aggregate.js';
import {check} from '../../src/stages/check/check.js';
import {extract} from '../../src/stages/extract/extract.js';
import {mergeConversation} from '../../src/stages/import/merge.js';
import {buildIndex} from '../../src/stages/index/build-index.js';
import {openJudge} from '../../src/stages/judge/judge.js';
import {replay} from '../../src/stages/replay/replay.js';
import {baselineShortlister} from '../../src/stages/shortlist/shortlist.js';
import {checkStore} from '../../src/store/queries/check.js';
import {openStore} from '../../src/store/store.js';
import {at, message} from '../property/builders.js';

const clock = {now: () => 1_700_000_000_000_000 + Math.floor(performance.now() * 1000), monotonicMs: () => 0};
const said = (id: string, text: string, iso: string, over: Partial<Message> = {}) =>
	message(0, text, at(iso), {message_id: id, ...over});

/** A file in memory with every stage as one call. */
async function memory() {
	const store = await openStore(':memory:', {create: true, clock});
	const source = {
		source_id: 's_0',
		path: '',
		sha256: '',
		bytes: 0,
		format: '',
		importer_version: 1,
		counts: {},
		warnings: [],
	};
	await store.addSource(source, 'r_0', 0);
	const ports = (signal = new AbortController().signal) => ({
		store,
		clock,
		progress: silentProgress,
		signal,
		zone: store.zone,
	});
	let [parent, set] = ['', ''];
	return {
		store,
		ports,
		parent: () => parent,
		async put(conversation_id: string, messages: readonly Message[], over: Partial<Conversation> = {}) {
			const conversation: Conversation = {
				conversation_id,
				source_id: 's_0',
				native_id: conversation_id,
				title: null,
				created_at: null,
				updated_at: null,
				kind: 'assistant',
				line: 'main',
				do_not_remember: false,
				extra: null,
				...over,
			};
			const fresh = {conversation, messages: messages.map((item, seq) => ({...item, conversation_id, seq}))};
			const stored = await store.conversation(conversation_id);
			if (!stored) return store.addConversation(fresh.conversation, fresh.messages);
			const merged = mergeConversation(stored, fresh);
			await store.replaceConversation(merged.conversation, merged.messages, merged.changed);
		},
		async extract() {
			const config = {day: null, since: null, until: null, retryFailed: false, assistantBeats: 'one' as const};
			parent = (await extract(config, {...ports(), extractor: verbatimExtractor})).card_set_id;
		},
		async aggregate(aggregator: Aggregator = sameEventAggregator, signal?: AbortSignal) {
			set = (await aggregate(parent, {...ports(signal), aggregator})).card_set_id;
		},
		async cards() {
			await this.extract();
			await this.aggregate();
		},
		async replay(arm = loadArm('seed')) {
			const embedder = hashedEmbedder();
			await buildIndex({cardSetId: set, recipes: ['plain', 'context']}, {...ports(), embedder});
			const targets = [];
			for await (const target of store.messageTargets()) targets.push(target);
			const setup = {
				arm,
				armName: arm.name,
				armSha: arm.name,
				cardSetId: set,
				relationOn: false,
				zone: store.zone,
				clock,
				embedder,
				shortlister: baselineShortlister(3),
				judge: openJudge,
			};
			await replay({setup, armConfig: arm, repeats: 1, targets: new Map([['main', targets]])}, ports());
		},
		memoryCards: () => store.memoryCards(set, 'main', false),
		rendered: async (id: string) =>
			(await store.db.all('SELECT rendered_text FROM exposures WHERE target_id = ? ORDER BY exposure_id', [id])).map(
				row => row.rendered_text,
			),
		async findings() {
			const kinds = new Set<string>();
			for await (const {kind} of check(checkStore(store.db), store.zone)) kinds.add(kind);
			return [...kinds].sort();
		},
	};
}
const KNEE = '我左边膝盖很疼。';
const ask = said('m_t', '我的膝盖怎么样了？', '2026-01-05T02:00:00Z');

test('F2 a text that is edited and edited back goes through the second review again', async () => {
	const file = await memory();
	for (const text of [KNEE, '我右边膝盖很疼。', KNEE]) {
		await file.put('v_1', [said('m_1', text, '2026-01-01T02:00:00Z')]);
		await file.cards();
	}
	expect(await file.findings()).toEqual([]);
});

test('F3 a review that is stopped after it has accepted a new batch leaves each card in one living batch', async () => {
	const file = await memory();
	await file.put('v_1', [said('m_1', KNEE, '2026-01-01T02:00:00Z')]);
	await file.cards();
	await file.put('v_2', [said('m_2', '今天去买了跑鞋，很轻。', '2026-01-01T05:00:00Z')]);
	await file.extract();
	const stop = new AbortController();
	await file.aggregate(
		{
			...sameEventAggregator,
			async aggregate(batch, shown) {
				stop.abort();
				return sameEventAggregator.aggregate(batch, shown);
			},
		},
		stop.signal,
	);
	const ids = (await file.memoryCards()).map(({card_id}) => card_id);
	expect(new Set(ids).size).toBe(ids.length);
	await file.replay();
});

test('F4 an edited message is not quoted in its old words before the review has run again', async () => {
	const file = await memory();
	await file.put('v_1', [said('m_1', KNEE, '2026-01-01T02:00:00Z'), ask]);
	await file.cards();
	await file.put('v_1', [said('m_1', '我右边膝盖很疼。', '2026-01-01T02:00:00Z'), ask]);
	await file.extract();
	await file.replay();
	expect((await file.rendered('m_t')).join()).not.toContain('左边');
	expect(await file.findings()).toEqual([]);
});

test('F5 a message whose time a newer export corrects takes its cards along', async () => {
	const file = await memory();
	for (const iso of ['2026-01-01T02:00:00Z', '2026-01-01T09:00:00Z']) {
		await file.put('v_1', [said('m_1', KNEE, iso)]);
		await file.cards();
	}
	expect(await file.findings()).toEqual([]);
});

test('F6 a newer export with an earlier message leaves a file without findings and one exposure a target', async () => {
	const file = await memory();
	const rest = [said('m_1', KNEE, '2026-01-01T02:00:00Z'), ask];
	for (const messages of [rest, [said('m_0', '早先的一句话：我搬家了。', '2025-12-31T10:00:00Z'), ...rest]]) {
		await file.put('v_1', messages);
		await file.cards();
		await file.replay();
	}
	expect(await file.rendered('m_t')).toHaveLength(1);
	expect(await file.findings()).toEqual([]);
});

test('F7 a conversation that its owner marks later is no longer remembered, nor context of a question', async () => {
	const file = await memory();
	const messages = [said('m_1', KNEE, '2026-01-01T02:00:00Z')];
	await file.put('v_1', messages);
	await file.put('v_2', [ask]);
	await file.cards();
	await file.put('v_1', messages, {do_not_remember: true});
	await file.cards();
	await file.replay();
	expect(await file.rendered('m_t')).toEqual([null]);
	expect((await file.store.lineMessages('main')).map(({text}) => text)).toEqual([ask.text]);
});

test('F8 the line before a beat is not shown where it was said at or after the cutoff', async () => {
	const file = await memory();
	await file.put('v_1', [
		said('m_0', '密码是玫瑰花。', '2026-01-09T02:00:00Z', {role: 'assistant'}),
		said('m_1', '好好记下来吧朋友。', '2026-01-01T02:00:00Z'),
	]);
	await file.cards();
	const beats = (await file.memoryCards()).filter(card => card.day === '2026-01-01').flatMap(card => card.beats);
	expect(beats.map(({preceding}) => preceding)).not.toContain('assistant: 密码是玫瑰花。');
});

test('F10 what was injected into a message is not taken for the words of its writer', async () => {
	const file = await memory();
	const text =
		'（记录前言：以下是过去的事，属于当时，使用由当轮 Claude 判断。）\n〔用户调整晚间饮品〕 · 2026-01-10 ~ 2026-01-10 · 共 1 拍\n  2026-01-10 · 用户：「晚上那杯浓茶让我睡不着。」\n\n【以上为隐藏交接与动态上下文，以下是用户本轮消息】\n今晚喝什么好呢？';
	await file.put('v_1', [said('m_1', text, '2026-01-20T02:00:00Z')]);
	await file.extract();
	const quotes = (await file.store.db.all('SELECT quote FROM beats ORDER BY ordinal')).map(({quote}) => quote);
	expect(quotes).toEqual(['今晚喝什么好呢？']);
});

test('F1b a quote with an ideographic space is delivered without a finding', async () => {
	const file = await memory();
	await file.put('v_1', [said('m_1', '我的膝盖　很疼。', '2026-01-01T02:00:00Z'), ask]);
	await file.cards();
	await file.replay();
	expect(await file.rendered('m_t')).not.toEqual([null]);
	expect(await file.findings()).toEqual([]);
});
