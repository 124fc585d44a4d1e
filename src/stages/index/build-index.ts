import {sha256} from '../../core/ids.js';
import type {Embedder} from '../../ports/embedder.js';
import {isStopped, type StagePorts} from '../../ports/ports.js';
import type {IndexRow, MemoryCard, MemoryStore, RunStore} from '../../ports/store.js';
import {beatText, type Recipe, titleText} from '../recall/texts.js';
import {EMBED_BATCH} from './constants.js';

export interface IndexConfig {
	readonly cardSetId: string;
	readonly recipes: readonly Recipe[];
}

export interface IndexPorts extends StagePorts {
	readonly store: MemoryStore & RunStore;
	readonly embedder: Embedder;
}

export interface IndexReport {
	readonly run_id: string;
	readonly card_set_id: string;
	readonly fingerprint: string;
	readonly m2_rows: number;
	readonly m4_rows: number;
	readonly embedded: number;
	readonly reused: number;
	readonly truncated: number;
	readonly interrupted: boolean;
}

/**
 * Gives every card and beat that recall may read a row in the search matrices, and every text a vector. Vectors are
 * kept by content: a text is embedded once a model, whatever rows it serves. Commits a batch of vectors at a time.
 */
export async function buildIndex(config: IndexConfig, ports: IndexPorts): Promise<IndexReport> {
	const {store, embedder, progress} = ports;
	const runId = await store.startRun({
		stage: 'index',
		arm: null,
		params: {...config},
		prompt_shas: {},
		models: {embedder: embedder.fingerprint},
	});
	const tally = {m2_rows: 0, m4_rows: 0, embedded: 0, reused: 0};
	progress.start('index', null);
	const rows = new Map<Recipe, IndexRow[]>(config.recipes.map(recipe => [recipe, []]));
	for (const line of await store.lines(config.cardSetId)) {
		if (isStopped(ports)) break;
		// Dropped cards are indexed too: an arm may read them.
		const cards = await store.memoryCards(config.cardSetId, line, true);
		const texts = new Map<string, string>();
		for (const recipe of config.recipes) rows.get(recipe)!.push(...rowsOf(cards, recipe, config, embedder, texts));
		await embedMissing(texts, ports, tally);
	}
	progress.stop();
	const interrupted = isStopped(ports);
	if (!interrupted) {
		for (const [recipe, list] of rows) {
			await store.replaceIndexRows(config.cardSetId, embedder.fingerprint, recipe, list);
			// Every recipe has the same rows, only their texts differ.
			tally.m2_rows = list.filter(({matrix}) => matrix === 'm2').length;
			tally.m4_rows = list.length - tally.m2_rows;
		}
	}
	const counts = {...tally, truncated: embedder.truncated};
	await store.finishRun(runId, interrupted ? 'interrupted' : 'done', counts, null);
	return {run_id: runId, card_set_id: config.cardSetId, fingerprint: embedder.fingerprint, ...counts, interrupted};
}

function rowsOf(
	cards: readonly MemoryCard[],
	recipe: Recipe,
	{cardSetId}: IndexConfig,
	{fingerprint}: Embedder,
	texts: Map<string, string>,
): IndexRow[] {
	const row = (matrix: 'm2' | 'm4', row_id: string, card_id: string, text: string): IndexRow => {
		const text_sha256 = sha256(text);
		texts.set(text_sha256, text);
		return {card_set_id: cardSetId, fingerprint, recipe, matrix, row_id, card_id, text_sha256};
	};
	return cards.flatMap(card => [
		row('m2', card.card_id, card.card_id, titleText(card)),
		...card.beats.map(beat => row('m4', beat.beat_id, card.card_id, beatText(card, beat, recipe))),
	]);
}

async function embedMissing(
	texts: ReadonlyMap<string, string>,
	ports: IndexPorts,
	tally: {embedded: number; reused: number},
): Promise<void> {
	const {store, embedder, progress} = ports;
	const there = await store.embedded(embedder.fingerprint, [...texts.keys()]);
	const missing = [...texts].filter(([sha]) => !there.has(sha));
	tally.reused += texts.size - missing.length;
	for (let at = 0; at < missing.length && !isStopped(ports); at += EMBED_BATCH) {
		const batch = missing.slice(at, at + EMBED_BATCH);
		const vectors = await embedder.embed(batch.map(([, text]) => text));
		await store.addVectors(embedder.fingerprint, new Map(batch.map(([sha], i) => [sha, vectors[i]!])));
		tally.embedded += batch.length;
		progress.advance(batch.length);
	}
}
