import {createHash} from 'node:crypto';
import {cpSync, existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {cli, cliJson, root, SAMPLE, tempFolder} from '../helpers/cli.js';

const FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'];
const bodyOf = (path: string): Buffer => Buffer.from(`${path} `.repeat(2000));

/** What the fake hub does with the weights. */
let mode: 'good' | 'wrong-hash' | 'half' | 'missing' = 'good';
let hub: Server;
let endpoint: string;
beforeAll(async () => {
	hub = createServer((request, response) => {
		const file = FILES.find(name => request.url?.endsWith(`/resolve/main/${name}`));
		if (!file || (mode === 'missing' && file.startsWith('onnx'))) return void response.writeHead(404).end();
		const body = bodyOf(file);
		const sha = createHash('sha256')
			.update(mode === 'wrong-hash' ? 'other' : body)
			.digest('hex');
		response.writeHead(200, {
			'content-length': body.length,
			...(file.startsWith('onnx') ? {'x-linked-etag': `"${sha}"`} : {}),
		});
		if (mode === 'half' && file.startsWith('onnx')) response.write(body.subarray(0, 1000), () => response.destroy());
		else response.end(body);
	});
	await new Promise<void>(resolve => hub.listen(0, '127.0.0.1', resolve));
	endpoint = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
});
afterAll(() => void hub.close());

const env = () => ({HF_ENDPOINT: endpoint, HINDCAST_OFFLINE: ''});

test('a model is fetched from a mirror, kept with its hashes, and not fetched twice', async () => {
	using folder = tempFolder();
	mode = 'good';
	const args = ['models', 'fetch', 'bge-small-zh-v1.5', '--model-dir', 'here'];
	const first = await cliJson(args, {cwd: folder.path, env: env()});
	expect(first.json.models[0]).toMatchObject({name: 'bge-small-zh-v1.5', was_here: false});
	for (const file of FILES)
		expect(readFileSync(join(folder.path, 'here/bge-small-zh-v1.5', file)).equals(bodyOf(file))).toBe(true);
	expect((await cliJson(args, {cwd: folder.path, env: env()})).json.models[0]).toMatchObject({was_here: true});
	// The bytes are no model, so a trial run must say so; a changed byte must be seen too.
	writeFileSync(join(folder.path, 'here/bge-small-zh-v1.5/config.json'), '{}');
	const verified = await cliJson(['models', 'verify', '--model-dir', 'here'], {cwd: folder.path});
	expect(verified.exit).toBe(4);
	expect(verified.json.findings.map((finding: {kind: string}) => finding.kind).sort()).toEqual([
		'changed',
		'does_not_run',
	]);
});

test.each([
	['wrong-hash', 'MODEL_DAMAGED'],
	['half', 'DOWNLOAD_FAILED'],
	['missing', 'DOWNLOAD_FAILED'],
] as const)('a download that goes wrong (%s) is an error and leaves no half file', async (way, code) => {
	using folder = tempFolder();
	mode = way;
	const {json, exit} = await cliJson(['models', 'fetch', 'bge-small-zh-v1.5', '--model-dir', 'here'], {
		cwd: folder.path,
		env: env(),
	});
	expect([exit, json.error.code]).toEqual([1, code]);
	const onnx = join(folder.path, 'here/bge-small-zh-v1.5/onnx');
	expect(existsSync(onnx) ? readdirSync(onnx) : []).toEqual([]);
});

test('offline, a model that is not here is named with the place where each file has to lie', async () => {
	using folder = tempFolder();
	const at = {cwd: folder.path, env: {HOME: folder.path}};
	expect((await cliJson(['models', 'fetch', 'all-minilm-l6-v2', '--offline'], at)).json.error.code).toBe('OFFLINE');
	expect((await cliJson(['models', 'fetch', 'gpt-9'], at)).json.error.code).toBe('MODEL_UNKNOWN');
	await cli(['import', SAMPLE], at);
	await cli(['extract'], at);
	await cli(['aggregate'], at);
	const {json} = await cliJson(['index', '--embedder', 'bge-small-zh-v1.5'], at);
	expect(json.error.code).toBe('MODEL_MISSING');
	expect(json.error.hint).toContain(join(folder.path, '.cache/hindcast/models/bge-small-zh-v1.5'));
	expect(json.error.hint).toContain('onnx/model_quantized.onnx');
	const listed = await cliJson(['models', 'list'], at);
	expect(listed.json.auto).toBe('static');
	expect(listed.json.models.map((model: {found: string | null}) => model.found)).toEqual([null, null]);
});

const shared = process.env.HINDCAST_MODELS ?? join(root, '../shared/models');
const hasModels = existsSync(join(shared, 'bge-small-zh-v1.5/onnx/model_quantized.onnx'));
if (!hasModels) process.stderr.write(`skipped: no models in ${shared} (set HINDCAST_MODELS)\n`);

test.skipIf(!hasModels)(
	'real models run, auto takes both, and a mix of embedders is refused with the advice',
	async () => {
		using folder = tempFolder();
		const at = {cwd: folder.path, env: {HINDCAST_MODELS: shared, HOME: folder.path}};
		expect((await cliJson(['models', 'verify'], at)).json.findings).toEqual([]);
		await cli(['import', SAMPLE], at);
		await cli(['extract'], at);
		await cli(['aggregate'], at);
		const indexed = await cliJson(['index'], at);
		expect(indexed.json.fingerprint).toMatch(/^bilingual\//);
		const recalled = await cliJson(['recall', '睡前应该避免什么饮料'], at);
		expect(
			recalled.json.candidates
				.slice(0, 3)
				.map((candidate: {text: string}) => candidate.text)
				.join(),
		).toContain('茶');
		const mixed = await cliJson(['recall', '茶', '--embedder', 'static'], at);
		expect(mixed.json.error).toMatchObject({
			code: 'INDEX_MIXED',
			hint: expect.stringContaining('hindcast index --embedder static'),
		});
		// Without the models the file says which one it was made with.
		cpSync(join(folder.path, 'hindcast.duckdb'), join(folder.path, 'moved.duckdb'));
		const moved = await cliJson(['recall', '茶', '--db', 'moved.duckdb'], {cwd: folder.path, env: {HOME: folder.path}});
		expect(moved.json.error.code).toBe('INDEX_MIXED');
	},
	120_000,
);
