import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {bilingualEmbedder, chineseShare} from '../../../src/embedders/bilingual.js';
import {loadEmbedder} from '../../../src/embedders/registry.js';
import type {Embedder} from '../../../src/ports/embedder.js';
import {root} from '../../helpers/cli.js';

const modelDir = process.env.HINDCAST_MODELS ?? join(root, '../shared/models');
const hasModels = existsSync(join(modelDir, 'bge-small-zh-v1.5/onnx/model_quantized.onnx'));
if (!hasModels) process.stderr.write(`skipped: no models in ${modelDir} (set HINDCAST_MODELS)\n`);

const TEXTS = ['晚上那杯浓茶让我睡不着。', 'The importer v2.1 drops rows.', '重跑gen-itgc后 Claude 说 OK', '🙂', ''];
const bytes = (vectors: readonly Float32Array[]) =>
	vectors.map(vector => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('hex'));

test.skipIf(!hasModels).each(['bge-small-zh-v1.5', 'all-minilm-l6-v2', 'bilingual'])(
	'%s: a text has the same vector on every run and in any company',
	async name => {
		const [one, two] = [await loadEmbedder(name, {modelDir}), await loadEmbedder(name, {modelDir})];
		const together = bytes(await one.embed(TEXTS));
		const alone: string[] = [];
		for (const text of [...TEXTS].reverse()) alone.unshift(...bytes(await two.embed([text])));
		expect(alone).toEqual(together);
		expect(one.fingerprint).toBe(two.fingerprint);
		for (const vector of await one.embed(TEXTS)) {
			expect(vector.length).toBe(one.dim);
			expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
		}
	},
);

test.skipIf(!hasModels)('bge reads capitals like small letters, and counts what it had to cut', async () => {
	const bge = await loadEmbedder('bge-small-zh-v1.5', {modelDir});
	const [upper, lower] = bytes(await bge.embed(['NASA 和 Claude', 'nasa 和 claude']));
	expect(upper).toBe(lower);
	expect(bge.truncated).toBe(0);
	await bge.embed(['很长的一句话'.repeat(200)]);
	expect(bge.truncated).toBe(1);
});

const unit = (name: string, dim: number, hot: number): Embedder => ({
	name,
	fingerprint: name,
	dim,
	truncated: 0,
	embed: async texts => texts.map(() => Float32Array.from({length: dim}, (_, i) => (i === hot ? 1 : 0))),
});

test("a pure text is its own model's vector, a mixed one is weighted by its share of Chinese", async () => {
	const both = bilingualEmbedder(unit('zh', 2, 0), unit('en', 3, 1));
	const [zh, en, mixed] = await both.embed(['好茶', 'good tea', '好茶 good tea']);
	expect([...zh!]).toEqual([1, 0, 0, 0, 0]);
	expect([...en!]).toEqual([0, 0, 0, 1, 0]);
	expect(mixed!.map(value => Math.round((value / Math.SQRT1_2) * 1e4) / 1e4)).toEqual(
		Float32Array.from([1, 0, 0, 1, 0]),
	);
	expect(chineseShare('12:30 🙂')).toBe(0);
	expect(chineseShare('重跑gen-itgc后')).toBe(0.6);
});
