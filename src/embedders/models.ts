import {createHash} from 'node:crypto';
import {createReadStream, existsSync, readdirSync} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';

/** A model file set that transformers.js can run. */
export interface ModelSpec {
	/** Name of the embedder, and of its folder in a model folder. */
	readonly name: string;
	/** Repository on the Hugging Face hub. */
	readonly hub: string;
	readonly dim: number;
	readonly pooling: 'cls' | 'mean';
	/** The text is put in lower case first: this tokenizer turns every capital into [UNK]. */
	readonly lowerCase: boolean;
	/** Put before every text. */
	readonly prefix: string;
	/** Tokens that the model reads, its own marks included. */
	readonly maxTokens: number;
	readonly licence: string;
	readonly about: string;
}

/** Models that are known by name. */
export const MODELS: readonly ModelSpec[] = [
	{
		name: 'bge-small-zh-v1.5',
		hub: 'Xenova/bge-small-zh-v1.5',
		dim: 512,
		pooling: 'cls',
		lowerCase: true,
		prefix: '',
		maxTokens: 512,
		licence: 'MIT',
		about: 'Chinese; the seed design was measured with it',
	},
	{
		name: 'all-minilm-l6-v2',
		hub: 'Xenova/all-MiniLM-L6-v2',
		dim: 384,
		pooling: 'mean',
		lowerCase: false,
		prefix: '',
		maxTokens: 256,
		licence: 'Apache-2.0',
		about: 'English',
	},
];

/** Files that a model needs, below its folder. */
export const MODEL_FILES = [
	'config.json',
	'tokenizer.json',
	'tokenizer_config.json',
	'onnx/model_quantized.onnx',
] as const;

/** Hashes of the files as they were fetched, kept beside them. */
export const CHECKSUMS_FILE = 'hindcast-checksums.json';

/** The weights, whose hash is part of the fingerprint. */
export const WEIGHTS_FILE = 'onnx/model_quantized.onnx';

/** Where models are looked for, in order. */
export interface ModelPlaces {
	/** `--model-dir` or HINDCAST_MODELS. */
	readonly modelDir?: string | undefined;
	/** Defaults to the user's home folder. */
	readonly home?: string;
	/** Fetches a model that is not here; undefined when the network must not be used. */
	readonly download?: ((spec: ModelSpec) => Promise<void>) | undefined;
}

/** Where `models fetch` puts them. */
export const ownModelDir = ({modelDir, home = homedir()}: ModelPlaces): string =>
	modelDir ?? join(home, '.cache', 'hindcast', 'models');

/** The folder that holds all files of a model, or null. Looks in the model folder, then in the Hugging Face cache. */
export function findModel(spec: ModelSpec, places: ModelPlaces): string | null {
	const home = places.home ?? homedir();
	const cache = join(home, '.cache/huggingface/hub', `models--${spec.hub.replace('/', '--')}`, 'snapshots');
	const snapshots = existsSync(cache)
		? readdirSync(cache)
				.sort()
				.map(name => join(cache, name))
		: [];
	const folders = [
		...(places.modelDir ? [join(places.modelDir, spec.name)] : []),
		join(home, '.cache/hindcast/models', spec.name),
		...snapshots,
	];
	return folders.find(folder => missingFiles(folder).length === 0) ?? null;
}

/** Files of a model that a folder lacks. */
export const missingFiles = (folder: string): string[] => MODEL_FILES.filter(file => !existsSync(join(folder, file)));

/** sha256 of a file. */
export async function hashFile(path: string): Promise<string> {
	const hash = createHash('sha256');
	for await (const chunk of createReadStream(path)) hash.update(chunk);
	return hash.digest('hex');
}
