import {createHash} from 'node:crypto';
import {createWriteStream, mkdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {HindcastError} from '../errors.js';
import {CHECKSUMS_FILE, MODEL_FILES, type ModelSpec} from './models.js';

/** What a download needs of the world. */
export interface FetchPorts {
	readonly fetch: typeof globalThis.fetch;
	/** Base address of the hub; `HF_ENDPOINT` names a mirror. */
	readonly endpoint: string;
	/** Bytes of a file so far, and its size where the server tells it. */
	onProgress(file: string, bytes: number, total: number | null): void;
}

/** The hub, unless HF_ENDPOINT names a mirror. */
export const HUB = 'https://huggingface.co';

/**
 * Downloads a model's files into `<folder>/<name>`. Each file is written beside its place and renamed when it is
 * whole and, where the server names its sha256, has that hash. The hashes are kept for `models verify`.
 * @throws DOWNLOAD_FAILED, MODEL_DAMAGED; what was whole stays, so that a second call goes on
 */
export async function fetchModel(spec: ModelSpec, folder: string, ports: FetchPorts): Promise<string> {
	const target = join(folder, spec.name);
	const checksums: Record<string, string> = {};
	for (const file of MODEL_FILES) checksums[file] = await fetchFile(spec, file, join(target, file), ports);
	writeFileSync(join(target, CHECKSUMS_FILE), `${JSON.stringify(checksums, null, '\t')}\n`);
	return target;
}

async function fetchFile(spec: ModelSpec, file: string, path: string, ports: FetchPorts): Promise<string> {
	const url = `${ports.endpoint.replace(/\/$/, '')}/${spec.hub}/resolve/main/${file}`;
	const response = await ports.fetch(url).catch(error => {
		throw failed(
			url,
			error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error),
		);
	});
	if (!response.ok || !response.body) throw failed(url, `status ${response.status}`);
	const total = Number(response.headers.get('content-length')) || null;
	const hash = createHash('sha256');
	const part = `${path}.part`;
	mkdirSync(dirname(path), {recursive: true});
	let bytes = 0;
	const counted = async function* (source: AsyncIterable<Uint8Array>) {
		for await (const chunk of source) {
			hash.update(chunk);
			bytes += chunk.length;
			ports.onProgress(file, bytes, total);
			yield chunk;
		}
	};
	try {
		await pipeline(Readable.fromWeb(response.body as never), counted, createWriteStream(part));
	} catch (error) {
		rmSync(part, {force: true});
		throw failed(url, error instanceof Error ? error.message : String(error));
	}
	const sha = hash.digest('hex');
	// The hub names the hash of large files in this header (an etag, in quotes).
	const expected = /^"?([0-9a-f]{64})"?$/.exec(response.headers.get('x-linked-etag') ?? '')?.[1];
	if ((total !== null && bytes !== total) || (expected !== undefined && expected !== sha)) {
		rmSync(part, {force: true});
		throw new HindcastError('MODEL_DAMAGED', {message: `${url} came with another length or checksum than it names.`});
	}
	renameSync(part, path);
	return sha;
}

const failed = (url: string, reason: string): HindcastError =>
	new HindcastError('DOWNLOAD_FAILED', {message: `${url} cannot be fetched: ${reason}`, details: {url}});
