import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

/** The two teachers. bge's tokenizer knows no capitals, so its texts are lower-cased. */
export const TEACHERS = {
	zh: {model: 'bge-small-zh-v1.5', pooling: 'cls', dim: 512, prepare: text => text.toLowerCase()},
	latin: {model: 'all-minilm-l6-v2', pooling: 'mean', dim: 384, prepare: text => text},
};

/** Loads a package from the folder that was made for the distillation. */
export async function importFrom(folder, name) {
	const require = createRequire(join(resolve(folder), 'package.json'));
	return import(pathToFileURL(require.resolve(name)).href);
}

/**
 * The teacher's vectors of texts, one text a call on one thread: q8 results depend on batch mates, and a sum over
 * threads on their number.
 * @param {{models: string, packages: string, cache?: string}} places
 * @returns {Promise<Float32Array>} length-1 rows
 */
export async function embedTexts(texts, {model, pooling, dim, prepare}, {models, packages, cache}) {
	const onnx = readFileSync(join(models, model, 'onnx', 'model_quantized.onnx'));
	const key = createHash('sha256').update(onnx).update(JSON.stringify(texts)).digest('hex');
	const cached = cache && join(cache, `${key.slice(0, 24)}.f32`);
	if (cached && existsSync(cached)) return new Float32Array(new Uint8Array(readFileSync(cached)).buffer);
	const {env, pipeline} = await importFrom(packages, '@huggingface/transformers');
	Object.assign(env, {allowRemoteModels: false, allowLocalModels: true, localModelPath: `${resolve(models)}/`});
	const options = {dtype: 'q8', session_options: {intraOpNumThreads: 1, interOpNumThreads: 1}};
	const extract = await pipeline('feature-extraction', model, options);
	const rows = new Float32Array(texts.length * dim);
	for (let i = 0; i < texts.length; i++) {
		const output = await extract(prepare(texts[i]), {pooling, normalize: true});
		rows.set(output.data, i * dim);
		output.dispose();
		if (i % 10_000 === 0) console.log(`  ${model}: ${i} of ${texts.length}`);
	}
	await extract.dispose();
	if (cached) {
		mkdirSync(cache, {recursive: true});
		writeFileSync(cached, Buffer.from(rows.buffer));
	}
	return rows;
}
