import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type Arm, loadArm} from '../../src/arms/arm.js';
import {sha256} from '../../src/core/ids.js';
import {Zone} from '../../src/core/time.js';
import {hashedEmbedder} from '../../src/embedders/hashed.js';
import type {MemoryCard, MemoryStore} from '../../src/ports/store.js';
import {type LineMemory, loadLine, viewAt} from '../../src/stages/recall/memory.js';
import {rankSources, recall} from '../../src/stages/recall/recall.js';
import {beatText, titleText} from '../../src/stages/recall/texts.js';
import {at, DAY, HOUR, memoryCard, SEED} from './builders.js';

const zone = new Zone('Asia/Shanghai');
const embedder = hashedEmbedder();
const CUTOFF = at('2026-02-01T02:00:00Z');
const cutoff = {basis: 'time' as const, at: CUTOFF, conversation_id: 'v_t', seq: 0};
const seed = loadArm('seed');
const hybrid = loadArm('hybrid');

/** The part of the store that a memory is loaded from, over cards in memory. */
async function load(cards: readonly MemoryCard[], arm: Arm): Promise<LineMemory> {
	const texts = cards.flatMap(card => [titleText(card), ...card.beats.map(beat => beatText(card, beat, arm.text))]);
	const vectors = await embedder.embed(texts);
	const byText = new Map(texts.map((text, i) => [sha256(text), vectors[i]!]));
	const row = (matrix: 'm2' | 'm4', row_id: string, card_id: string, text: string) => ({
		card_set_id: 'k_1',
		fingerprint: embedder.fingerprint,
		recipe: arm.text,
		matrix,
		row_id,
		card_id,
		text_sha256: sha256(text),
	});
	const rows = cards.flatMap(card => [
		row('m2', card.card_id, card.card_id, titleText(card)),
		...card.beats.map(beat => row('m4', beat.beat_id, card.card_id, beatText(card, beat, arm.text))),
	]);
	const store = {
		memoryCards: async () => cards,
		indexRows: async () => rows,
		vectors: async () => byText,
	} satisfies Partial<MemoryStore>;
	return loadLine(
		'main',
		{
			cardSetId: 'k_1',
			fingerprint: embedder.fingerprint,
			dim: embedder.dim,
			recipe: arm.text,
			includeDropped: false,
			lexical: true,
		},
		store as unknown as MemoryStore,
	);
}

async function search(cards: readonly MemoryCard[], arm: Arm, q1: string, q2: string) {
	const memory = await load(cards, arm);
	const view = viewAt(memory, cutoff, arm.availability, zone);
	const [a, b] = await embedder.embed([q1, q2]);
	const recalled = recall({view, queries: {q1, q2}, vectors: [a!, b!], arm, relationOn: false});
	const ofBeats = (values: Float64Array) => view.beats.map(i => [memory.beats[i]!.beat_id, values[i]]);
	return {
		candidates: recalled.candidates.map(({card: _, ...candidate}) => candidate),
		beatScores: ofBeats(recalled.beatScores),
		spread: ofBeats(recalled.q1Spread),
		sources: rankSources(view, recalled),
		weights: [...memory.lexical!.weights(['茶', 'tea'], view.beatMask)],
	};
}

const WORDS = ['tea', 'berlin', 'knee', 'exam', '睡不着', '浓茶', '考试', '温水', 'v2.1'];
const quote = fc.array(fc.constantFrom(...WORDS), {minLength: 1, maxLength: 5}).map(list => list.join(' '));
const quotes = fc.array(quote, {minLength: 1, maxLength: 4});
/** Ids of both kinds fall between each other, since rows stand in id order. */
const ids = (count: number, prefix: string) =>
	Array.from({length: count}, (_, n) => `c_${sha256(`${prefix}${n}`).slice(0, 6)}`);
const pool = (prefix: string, seen: (n: number) => number) =>
	fc
		.array(quotes, {maxLength: 60})
		.map(list => list.map((item, n) => memoryCard(ids(list.length, prefix)[n]!, item, seen(n))));

const visible = pool('past', n => CUTOFF - 2 * DAY - n * HOUR);
/** Said later, or said before but not processed yet, or not in the same version. */
const invisible = pool('future', n => CUTOFF - (n % 3 === 0 ? HOUR : -n * HOUR));
const replaced = fc
	.array(quotes, {maxLength: 6})
	.map(list =>
		list.map((item, n) =>
			memoryCard(`c_0${n}`, item, CUTOFF - 3 * DAY, {replaced: {seen_until: CUTOFF - 3 * DAY, seen_until_seq: null}}),
		),
	);
const query = fc.tuple(quote, quote);

describe.each([
	['seed', seed],
	['hybrid', hybrid],
	[
		'hybrid in immediate availability with context in the fusion',
		{...hybrid, availability: 'immediate' as const, fusion: {q1: 1, q2: 0.5, lexical: 0.5, lexical_selective: 0.5}},
	],
])('recall by %s', (_, arm) => {
	test('cannot tell whether rows that it may not see are there: no score, rank or candidate changes', () =>
		fc.assert(
			fc.asyncProperty(visible, invisible, replaced, query, async (past, future, old, [q1, q2]) => {
				const later =
					arm.availability === 'nightly'
						? future
						: future.map(card => ({...card, seen_until: card.seen_until! + 2 * HOUR}));
				expect(await search([...later, ...past, ...old], arm, q1, q2)).toEqual(await search(past, arm, q1, q2));
			}),
			{seed: SEED, numRuns: 60},
		));

	test('does not depend on the order in which the store gives its rows', () =>
		fc.assert(
			fc.asyncProperty(visible, query, async (past, [q1, q2]) => {
				expect(await search([...past].reverse(), arm, q1, q2)).toEqual(await search(past, arm, q1, q2));
			}),
			{seed: SEED, numRuns: 40},
		));

	test('keeps the sizes of its routes, names a card once, and orders by score, then id', () =>
		fc.assert(
			fc.asyncProperty(visible, query, async (past, [q1, q2]) => {
				const {candidates} = await search(past, arm, q1, q2);
				expect(new Set(candidates.map(({card_id}) => card_id)).size).toBe(candidates.length);
				const routes = Object.entries(arm.routes).filter(([, route]) => route !== null);
				expect(candidates.length).toBeLessThanOrEqual(routes.length * 25);
				const sorted = [...candidates].sort((a, b) => b.score - a.score || (a.card_id < b.card_id ? -1 : 1));
				expect(candidates).toEqual(sorted);
				for (const [route] of routes) {
					const found = candidates.flatMap(candidate => candidate.routes.filter(item => item.route === route));
					expect(found.length).toBeLessThanOrEqual(25);
					const ranks = found.map(({rank}) => rank).sort((a, b) => a - b);
					expect(ranks).toEqual(ranks.map((_rank, i) => i + 1));
					const byRank = [...found].sort((a, b) => a.rank - b.rank).map(({score}) => score);
					expect(byRank).toEqual([...byRank].sort((a, b) => b - a));
				}
			}),
			{seed: SEED, numRuns: 60},
		));
});

test('with the relation slot on the card routes are narrower: 20 and 20', async () => {
	const cards = Array.from({length: 60}, (_, n) =>
		memoryCard(`c_${String(n).padStart(2, '0')}`, [`tea number ${n}`], CUTOFF - 3 * DAY),
	);
	const memory = await load(cards, seed);
	const view = viewAt(memory, cutoff, 'nightly', zone);
	const [a, b] = await embedder.embed(['tea', 'number']);
	const of = (relationOn: boolean) =>
		recall({view, queries: {q1: 'tea', q2: 'number'}, vectors: [a!, b!], arm: seed, relationOn}).candidates;
	const ranks = (relationOn: boolean) =>
		Math.max(...of(relationOn).flatMap(({routes}) => routes.map(({rank}) => rank)));
	expect([ranks(true), ranks(false)]).toEqual([20, 25]);
});

test('a card or beat without a row in the index is an error that says so, not a silent gap', async () => {
	const store = {
		memoryCards: async () => [memoryCard('c_1', ['tea'], 0)],
		indexRows: async () => [],
		vectors: async () => new Map(),
	};
	const config = {
		cardSetId: 'k',
		fingerprint: 'f',
		dim: 4,
		recipe: 'plain' as const,
		includeDropped: false,
		lexical: false,
	};
	await expect(loadLine('main', config, store as unknown as MemoryStore)).rejects.toMatchObject({code: 'INDEX_STALE'});
});

test("a memory's hash changes with everything that decides what can be seen", async () => {
	const base = [memoryCard('c_1', ['tea'], CUTOFF - DAY), memoryCard('c_2', ['knee'], CUTOFF - DAY)];
	const sha = async (cards: readonly MemoryCard[]) => (await load(cards, seed)).sha;
	const first = await sha(base);
	expect(await sha([...base].reverse())).toBe(first);
	for (const change of [
		{seen_until: CUTOFF},
		{seen_until_seq: 7},
		{disposition: 'drop' as const},
		{replaced: {seen_until: CUTOFF, seen_until_seq: null}},
		{title: 'coffee'},
		{tags: ['身体']},
	]) {
		expect(await sha([{...base[0]!, ...change}, base[1]!])).not.toBe(first);
	}
});
