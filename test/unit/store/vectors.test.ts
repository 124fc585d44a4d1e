import {expect, test} from 'vitest';
import {hashedEmbedder} from '../../../src/embedders/hashed.js';
import {sameEventAggregator} from '../../../src/models/baseline/same-event.js';
import {verbatimExtractor} from '../../../src/models/baseline/verbatim.js';
import {silentProgress} from '../../../src/ports/progress.js';
import {aggregate} from '../../../src/stages/aggregate/aggregate.js';
import {extract} from '../../../src/stages/extract/extract.js';
import {importChats} from '../../../src/stages/import/import.js';
import {buildIndex} from '../../../src/stages/index/build-index.js';
import {loadLine} from '../../../src/stages/recall/memory.js';
import {beatText, titleText} from '../../../src/stages/recall/texts.js';
import {openStore} from '../../../src/store/store.js';
import {SAMPLE} from '../../helpers/cli.js';

const clock = {now: () => 0, monotonicMs: () => 0};
const ports = {clock, progress: silentProgress, signal: new AbortController().signal};

test('vectors read back as they were written, byte for byte, many at a time and from views into larger buffers', async () => {
	const store = await openStore(':memory:', {create: true, clock});
	const dim = 37;
	const block = new Float32Array(dim * 3000).map((_, i) => Math.fround(Math.sin(i)));
	const written = new Map(
		Array.from({length: 3000}, (_, row) => [`sha${row}`, block.subarray(row * dim, (row + 1) * dim)] as const),
	);
	await store.addVectors('f', written);
	const read = await store.vectors('f', [...written.keys()]);
	for (const [sha, vector] of written) expect([...read.get(sha)!], sha).toEqual([...vector]);
	store.close();
});

test.each(['plain', 'context'] as const)(
	'each row of a loaded line is the vector of its own text (%s)',
	async recipe => {
		const store = await openStore(':memory:', {create: true, clock});
		const embedder = hashedEmbedder();
		await importChats(
			{paths: [SAMPLE], format: 'auto', line: 'main', assumeZone: 'UTC', strict: true},
			{...ports, store},
		);
		const config = {assistantBeats: 'all', day: null, since: null, until: null, retryFailed: false} as const;
		const {card_set_id} = await extract(config, {...ports, store, extractor: verbatimExtractor, zone: store.zone});
		const joined = await aggregate(card_set_id, {...ports, store, aggregator: sameEventAggregator});
		await buildIndex({cardSetId: joined.card_set_id, recipes: [recipe]}, {...ports, store, embedder});
		const memory = await loadLine(
			'main',
			{
				cardSetId: joined.card_set_id,
				fingerprint: embedder.fingerprint,
				dim: embedder.dim,
				recipe,
				includeDropped: false,
				lexical: false,
			},
			store,
		);
		const rowOf = (matrix: {values: Float32Array}, row: number) => [
			...matrix.values.subarray(row * embedder.dim, (row + 1) * embedder.dim),
		];
		expect(memory.beats.length).toBeGreaterThan(40);
		for (const [row, beat] of memory.beats.entries()) {
			const [vector] = await embedder.embed([beatText(memory.cards[memory.cardOfBeat[row]!]!, beat, recipe)]);
			expect(rowOf(memory.m4, row)).toEqual([...vector!]);
		}
		for (const [row, card] of memory.cards.entries()) {
			expect(rowOf(memory.m2, row)).toEqual([...(await embedder.embed([titleText(card)]))[0]!]);
		}
		store.close();
	},
);
