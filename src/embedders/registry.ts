import {HindcastError} from '../errors.js';
import type {Embedder} from '../ports/embedder.js';

/** Loads an embedder by name; each is a module of its own, imported when asked for. */
const LOADERS: Readonly<Record<string, () => Promise<Embedder>>> = {
	static: async () => (await import('./hashed.js')).hashedEmbedder(),
	hashed: async () => (await import('./hashed.js')).hashedEmbedder(),
};

/** What `auto` takes where no index decides: the best that needs no file. */
const AUTO = 'static';

/** Names that `--embedder` takes. */
export const embedderNames = (): string[] => ['auto', ...Object.keys(LOADERS)];

/** @throws EMBEDDER_UNKNOWN */
export async function loadEmbedder(name: string): Promise<Embedder> {
	const load = LOADERS[name === 'auto' ? AUTO : name];
	if (!load) {
		throw new HindcastError('EMBEDDER_UNKNOWN', {
			message: `There is no embedder "${name}" here. Known: ${Object.keys(LOADERS).join(', ')}.`,
			details: {name},
		});
	}
	return load();
}

/** The embedder whose vectors an index holds. */
export async function embedderOfFingerprint(fingerprint: string): Promise<Embedder | null> {
	for (const load of Object.values(LOADERS)) {
		const embedder = await load();
		if (embedder.fingerprint === fingerprint) return embedder;
	}
	return null;
}
