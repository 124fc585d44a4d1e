import {join} from 'node:path';
import type {PreTrainedModel, PreTrainedTokenizer, Tensor} from '@huggingface/transformers';
import {HindcastError} from '../errors.js';
import type {Embedder} from '../ports/embedder.js';
import {
	findModel,
	hashFile,
	MODEL_FILES,
	type ModelPlaces,
	type ModelSpec,
	ownModelDir,
	WEIGHTS_FILE,
} from './models.js';

/** Calls in flight at once; each runs on one thread, so that the sums do not depend on the number of cores. */
const CONCURRENT_CALLS = 2;

/**
 * A sentence model on this machine through transformers.js, 8-bit weights. Dynamic quantisation scales per call, so
 * every text is a call of its own: the vector does not depend on company, and "single" in the fingerprint says so.
 * @throws MODEL_MISSING with the place where each file has to lie
 */
export async function transformersEmbedder(spec: ModelSpec, places: ModelPlaces): Promise<Embedder> {
	if (findModel(spec, places) === null) await places.download?.(spec);
	const folder = findModel(spec, places);
	if (folder === null) throw missingModel(spec, places);
	const [weights, tokens] = await Promise.all([
		hashFile(join(folder, WEIGHTS_FILE)),
		hashFile(join(folder, 'tokenizer.json')),
	]);
	const {pooling, lowerCase, prefix, dim, maxTokens} = spec;
	const text = `${lowerCase ? 'lower' : 'as-is'}${prefix === '' ? '' : `+${prefix}`}`;
	// The model is loaded at the first call: a fingerprint is asked for more often than a vector.
	let loaded: Promise<Loaded> | null = null;
	const counts = {truncated: 0};
	return {
		name: spec.name,
		fingerprint: [
			spec.name,
			weights.slice(0, 12),
			tokens.slice(0, 8),
			'q8',
			pooling,
			text,
			maxTokens,
			'single',
			dim,
		].join('/'),
		dim,
		get truncated() {
			return counts.truncated;
		},
		async embed(texts) {
			loaded ??= load(folder);
			const model = await loaded;
			return mapConcurrently(texts, item => embedOne(item, spec, model, counts));
		},
	};
}

interface Loaded {
	readonly tokenizer: PreTrainedTokenizer;
	readonly model: PreTrainedModel;
}

async function load(folder: string): Promise<Loaded> {
	const {AutoModel, AutoTokenizer, env} = await importTransformers();
	// Nothing is fetched behind the user's back: the files were looked for above.
	env.allowRemoteModels = false;
	env.allowLocalModels = true;
	const options = {
		dtype: 'q8',
		session_options: {intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3},
	} as const;
	const [tokenizer, model] = await Promise.all([
		AutoTokenizer.from_pretrained(folder),
		AutoModel.from_pretrained(folder, options),
	]);
	return {tokenizer, model};
}

/** @throws TRANSFORMERS_MISSING where the optional package was not installed */
async function importTransformers(): Promise<typeof import('@huggingface/transformers')> {
	try {
		return await import('@huggingface/transformers');
	} catch (error) {
		throw new HindcastError('TRANSFORMERS_MISSING', {
			message: `The package @huggingface/transformers cannot be loaded: ${error instanceof Error ? error.message : error}`,
		});
	}
}

async function embedOne(
	text: string,
	{lowerCase, prefix, maxTokens, pooling, dim}: ModelSpec,
	{tokenizer, model}: Loaded,
	counts: {truncated: number},
): Promise<Float32Array> {
	const prepared = prefix + (lowerCase ? text.toLowerCase() : text);
	const inputs = tokenizer(prepared, {truncation: true, max_length: maxTokens}) as {input_ids: Tensor};
	if (inputs.input_ids.dims[1] === maxTokens && tokenizer.encode(prepared).length > maxTokens) counts.truncated++;
	const output = (await model(inputs)) as {last_hidden_state: Tensor};
	return pool(output.last_hidden_state.data as Float32Array, inputs.input_ids.dims[1]!, dim, pooling);
}

/** CLS or mean over all tokens (a single text has no padding), to length 1, in double precision. */
function pool(states: Float32Array, tokens: number, dim: number, pooling: 'cls' | 'mean'): Float32Array {
	const sums = new Float64Array(dim);
	const rows = pooling === 'cls' ? 1 : tokens;
	for (let row = 0; row < rows; row++) for (let i = 0; i < dim; i++) sums[i]! += states[row * dim + i]!;
	let squares = 0;
	for (const value of sums) squares += value * value;
	const norm = Math.sqrt(squares) || 1;
	return Float32Array.from(sums, value => value / norm);
}

async function mapConcurrently<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
	const results = new Array<R>(items.length);
	let next = 0;
	const worker = async () => {
		for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i]!);
	};
	await Promise.all(Array.from({length: Math.min(CONCURRENT_CALLS, items.length)}, worker));
	return results;
}

function missingModel(spec: ModelSpec, places: ModelPlaces): HindcastError {
	const folder = join(ownModelDir(places), spec.name);
	return new HindcastError('MODEL_MISSING', {
		message: `The model ${spec.name} is not on this machine. 本机没有模型 ${spec.name}。`,
		hint: `Run hindcast models fetch ${spec.name}, or put these files into ${folder} yourself (请把下列文件放到该目录): ${MODEL_FILES.join(', ')}`,
		details: {model: spec.name, hub: spec.hub, folder, files: [...MODEL_FILES]},
	});
}
