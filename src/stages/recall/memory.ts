import {shaOf} from '../../core/ids.js';
import {compareStrings} from '../../core/json.js';
import type {Zone} from '../../core/time.js';
import type {Availability} from '../../domain/exposure.js';
import {HindcastError} from '../../errors.js';
import type {MemoryBeat, MemoryCard, MemoryStore} from '../../ports/store.js';
import {Bm25} from '../../search/bm25.js';
import {type Matrix, toMatrix} from '../../search/vectors.js';
import {tokenize} from '../../text/tokens.js';
import {type Cutoff, isVisible} from './as-of.js';
import {beatText, type Recipe} from './texts.js';

/** A line of memory ready to be searched: all card versions, in id order, and their matrices. */
export interface LineMemory {
	readonly line: string;
	readonly cards: readonly MemoryCard[];
	/** One row a card, in the order of `cards`. */
	readonly m2: Matrix;
	/** One row a beat, cards in order, beats in message order. */
	readonly m4: Matrix;
	readonly beats: readonly MemoryBeat[];
	/** Index into `cards` of each beat. */
	readonly cardOfBeat: Int32Array;
	readonly cardById: ReadonlyMap<string, MemoryCard>;
	/** Index into `beats` by beat_id. */
	readonly beatIndex: ReadonlyMap<string, number>;
	/** BM25 over the beats' texts; null when no route reads it. */
	readonly lexical: Bm25 | null;
	/** sha256 of all that stands in the matrices. */
	readonly sha: string;
}

export interface MemoryConfig {
	readonly cardSetId: string;
	readonly fingerprint: string;
	readonly dim: number;
	readonly recipe: Recipe;
	readonly includeDropped: boolean;
	readonly lexical: boolean;
}

/**
 * Loads a line.
 * @throws INDEX_STALE when a card or beat has no row in the index
 */
export async function loadLine(line: string, config: MemoryConfig, store: MemoryStore): Promise<LineMemory> {
	const cards = [...(await store.memoryCards(config.cardSetId, line, config.includeDropped))].sort((a, b) =>
		compareStrings(a.card_id, b.card_id),
	);
	const rows = await store.indexRows(config.cardSetId, config.fingerprint, config.recipe, line);
	const shaOfRow = new Map(rows.map(row => [`${row.matrix}:${row.row_id}`, row.text_sha256]));
	const beats = cards.flatMap(card => card.beats);
	const titles = cards.map(card => requireRow(shaOfRow, 'm2', card.card_id));
	const texts = beats.map(beat => requireRow(shaOfRow, 'm4', beat.beat_id));
	const vectors = await store.vectors(config.fingerprint, [...new Set([...titles, ...texts])]);
	const vectorOf = (sha: string): Float32Array => vectors.get(sha) ?? stale(sha);
	const cardOfBeat = Int32Array.from(cards.flatMap((card, i) => card.beats.map(() => i)));
	return {
		line,
		cards,
		beats,
		cardOfBeat,
		cardById: new Map(cards.map(card => [card.card_id, card])),
		beatIndex: new Map(beats.map((beat, i) => [beat.beat_id, i])),
		m2: toMatrix(titles.map(vectorOf), config.dim),
		m4: toMatrix(texts.map(vectorOf), config.dim),
		lexical: config.lexical
			? new Bm25(beats.map((beat, i) => tokenize(beatText(cards[cardOfBeat[i]!]!, beat, config.recipe))))
			: null,
		sha: shaOf([config.fingerprint, config.recipe, cards.map(stateOf), titles, texts]),
	};
}

/** What decides whether a version can be seen. */
const stateOf = (card: MemoryCard): unknown => [
	card.card_id,
	card.seen_until,
	card.seen_until_seq,
	card.disposition,
	card.replaced,
];

function requireRow(rows: ReadonlyMap<string, string>, matrix: 'm2' | 'm4', id: string): string {
	return rows.get(`${matrix}:${id}`) ?? stale(id);
}

function stale(what: string): never {
	throw new HindcastError('INDEX_STALE', {
		message: `The index does not hold ${what}: cards were made after it.`,
		details: {missing: what},
	});
}

/** What of a line can be seen at a cutoff. */
export interface View {
	readonly memory: LineMemory;
	readonly cutoff: Cutoff;
	/** Indexes of visible cards, ascending. */
	readonly cards: readonly number[];
	/** Indexes of visible beats, ascending. */
	readonly beats: readonly number[];
	/** 1 for each visible beat. */
	readonly beatMask: Uint8Array;
}

/** The as-of view. Every search runs inside it: the cutoff comes before any top-N. */
export function viewAt(memory: LineMemory, cutoff: Cutoff, availability: Availability, zone: Zone): View {
	const seen = memory.cards.map(card => isVisible(card, cutoff, availability, zone));
	const beatMask = Uint8Array.from(memory.cardOfBeat, card => (seen[card] ? 1 : 0));
	const cards = [...seen.keys()].filter(i => seen[i]);
	const beats: number[] = [];
	for (let i = 0; i < beatMask.length; i++) if (beatMask[i] === 1) beats.push(i);
	return {memory, cutoff, cards, beats, beatMask};
}
