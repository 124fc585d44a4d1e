import {existsSync, rmSync} from 'node:fs';
import {formatInstant} from '../core/time.js';
import {type ModelPlaces, ownModelDir} from '../embedders/models.js';
import {embedderOfFingerprint, loadEmbedder} from '../embedders/registry.js';
import {HindcastError} from '../errors.js';
import type {Embedder} from '../ports/embedder.js';
import type {StagePorts} from '../ports/ports.js';
import type {CardSet, MemoryStore} from '../ports/store.js';
import {openStore, type Store, type StoreOptions} from '../store/store.js';
import {terminalPorts} from './ports.js';

/** Flags that every service with a memory file reads. */
export interface SessionFlags {
	readonly db: string;
	readonly quiet: boolean;
	readonly offline?: boolean | undefined;
	readonly tz?: string | undefined;
}

/** Where models are looked for; without --offline a model that was asked for by name is fetched. */
export function modelPlaces(flags: {
	readonly 'model-dir'?: string | undefined;
	readonly offline?: boolean | undefined;
}): ModelPlaces {
	const places = {modelDir: flags['model-dir']};
	if (flags.offline) return places;
	return {
		...places,
		async download(spec) {
			const {fetchModel, HUB} = await import('../embedders/fetch-model.js');
			const endpoint = process.env.HF_ENDPOINT ?? HUB;
			process.stderr.write(`fetching ${spec.name} from ${endpoint}\n`);
			await fetchModel(spec, ownModelDir(places), {fetch: globalThis.fetch, endpoint, onProgress() {}});
		},
	};
}

/** Opens the file, hands it to the work with the terminal's ports, and closes it whatever happens. */
export async function withStore<T>(
	flags: SessionFlags,
	options: Pick<StoreOptions, 'create' | 'readOnly'>,
	work: (store: Store, ports: StagePorts) => Promise<T>,
): Promise<T> {
	const ports = await terminalPorts(flags);
	const isNew = !existsSync(flags.db);
	const store = await openStore(flags.db, {...options, zone: flags.tz, clock: ports.clock});
	let done = false;
	try {
		const result = await work(store, ports);
		done = true;
		return result;
	} finally {
		store.close();
		// A command that fails leaves nothing behind, not even the empty file that it made.
		if (isNew && !done) for (const path of [flags.db, `${flags.db}.wal`]) rmSync(path, {force: true});
	}
}

/**
 * The card set to read: the named one, else the only one of its kind.
 * @throws CARD_SET_UNKNOWN, CARD_SET_AMBIGUOUS
 */
export async function pickCardSet(
	store: MemoryStore,
	kind: CardSet['kind'],
	named: string | undefined,
): Promise<CardSet> {
	const sets = (await store.cardSets()).filter(set => set.kind === kind);
	const matches =
		named === undefined ? sets : sets.filter(set => set.card_set_id === named || set.maker.startsWith(named));
	if (matches.length === 1) return matches[0]!;
	const known = sets.map(set => `${set.card_set_id} (${set.maker} ${JSON.stringify(set.params)})`).join(', ');
	if (matches.length === 0) {
		const what = kind === 'extract' ? 'extracted' : 'aggregated';
		throw new HindcastError('CARD_SET_UNKNOWN', {
			message:
				named === undefined
					? `There are no ${what} cards yet.`
					: `No ${what} card set "${named}"; known: ${known || 'none'}.`,
		});
	}
	throw new HindcastError('CARD_SET_AMBIGUOUS', {message: `There are several card sets: ${known}.`});
}

/**
 * The embedder for reading an index. `auto` takes the index's only fingerprint.
 * @throws INDEX_MISSING, INDEX_MIXED
 */
export async function pickEmbedder(
	store: MemoryStore,
	cardSetId: string,
	name: string,
	places: ModelPlaces,
): Promise<Embedder> {
	const fingerprints = await store.fingerprints(cardSetId);
	if (fingerprints.length === 0) throw new HindcastError('INDEX_MISSING', {message: 'The cards are not indexed yet.'});
	if (name === 'auto' && fingerprints.length === 1) {
		const embedder = await embedderOfFingerprint(fingerprints[0]!, places);
		if (embedder) return embedder;
	}
	const embedder = await loadEmbedder(name, places);
	if (!fingerprints.includes(embedder.fingerprint)) {
		throw new HindcastError('INDEX_MIXED', {
			message: `The index was made with ${fingerprints.join(' and ')}, not with ${embedder.fingerprint}; vectors of different embedders cannot be compared.`,
			hint: `Run: hindcast index --embedder ${embedder.name}, and name it here with --embedder.`,
		});
	}
	return embedder;
}

/** Two-column lines for summaries. */
export function table(rows: readonly (readonly [string, string | number])[]): string {
	const width = Math.max(...rows.map(([name]) => name.length));
	return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

/** `a 3, b 1`, or a dash. */
export const counted = (counts: Readonly<Record<string, number>>): string =>
	Object.entries(counts)
		.map(([kind, n]) => `${kind} ${n}`)
		.join(', ') || '-';

export const timeText = (at: number | null): string => (at === null ? '-' : formatInstant(at));
