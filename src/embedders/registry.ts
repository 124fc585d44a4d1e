import {HindcastError} from '../errors.js';
import type {Embedder} from '../ports/embedder.js';
import {findModel, MODELS, type ModelPlaces, type ModelSpec} from './models.js';

type Load = (places: ModelPlaces) => Promise<Embedder>;

const transformers =
	(spec: ModelSpec): Load =>
	async places =>
		(await import('./transformers.js')).transformersEmbedder(spec, places);

const [bge, minilm] = MODELS as [ModelSpec, ModelSpec];

/** Loads an embedder by name; each is a module of its own, imported when asked for. Best first. */
const LOADERS: Readonly<Record<string, Load>> = {
	bilingual: async places => {
		const {bilingualEmbedder} = await import('./bilingual.js');
		return bilingualEmbedder(await transformers(bge)(places), await transformers(minilm)(places));
	},
	[bge.name]: transformers(bge),
	[minilm.name]: transformers(minilm),
	static: async () => (await import('./static.js')).openStaticEmbedder(),
	hashed: async () => (await import('./hashed.js')).hashedEmbedder(),
};

/** What `auto` takes: bilingual where both models are here, else bge, else static. */
export function autoEmbedder(places: ModelPlaces): string {
	if (!findModel(bge, places)) return 'static';
	return findModel(minilm, places) ? 'bilingual' : bge.name;
}

/** Names that `--embedder` takes. */
export const embedderNames = (): string[] => ['auto', ...Object.keys(LOADERS)];

/** @throws EMBEDDER_UNKNOWN, MODEL_MISSING */
export async function loadEmbedder(name: string, places: ModelPlaces): Promise<Embedder> {
	const load = LOADERS[name === 'auto' ? autoEmbedder(places) : name];
	if (!load) {
		throw new HindcastError('EMBEDDER_UNKNOWN', {
			message: `There is no embedder "${name}". Known: ${embedderNames().join(', ')}.`,
			details: {name},
		});
	}
	return load(places);
}

/** The embedder whose vectors an index holds, or null when its model is not here any more. */
export async function embedderOfFingerprint(fingerprint: string, places: ModelPlaces): Promise<Embedder | null> {
	// A fingerprint begins with its embedder's name.
	const load = LOADERS[fingerprint.split(/[/;]/)[0] ?? ''];
	if (!load) return null;
	const embedder = await load(places).catch(error => {
		if (error instanceof HindcastError && error.code === 'MODEL_MISSING') return null;
		throw error;
	});
	return embedder?.fingerprint === fingerprint ? embedder : null;
}
