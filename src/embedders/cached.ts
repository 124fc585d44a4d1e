import {appendFileSync, existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {sha256} from '../core/ids.js';
import type {Embedder} from '../ports/embedder.js';

/** Bytes of a text's sha256 that key a record. */
const KEY_BYTES = 16;
const TEXTS_PER_CALL = 64;

/**
 * Keeps an embedder's vectors in a folder by content, so that a bench run need not make them again. One file a
 * fingerprint, of records that stand for themselves (key, then the numbers as little-endian floats) and are appended
 * whole, so that two processes may write to it at once.
 */
export function cachedEmbedder(inner: Embedder, folder: string): Embedder {
	mkdirSync(folder, {recursive: true});
	const path = join(folder, `${sha256(inner.fingerprint).slice(0, 16)}.vectors`);
	const cache = readCache(path, inner.dim);
	const embedMissing = async (missing: ReadonlyMap<string, string>) => {
		const entries = [...missing];
		for (let at = 0; at < entries.length; at += TEXTS_PER_CALL) {
			const part = entries.slice(at, at + TEXTS_PER_CALL);
			const vectors = await inner.embed(part.map(([, text]) => text));
			const records = part.flatMap(([key], i) => [Buffer.from(key, 'hex'), bytesOf(vectors[i]!)]);
			appendFileSync(path, Buffer.concat(records));
			for (const [i, [key]] of part.entries()) cache.set(key, vectors[i]!);
		}
	};
	return {
		name: inner.name,
		fingerprint: inner.fingerprint,
		dim: inner.dim,
		get truncated() {
			return inner.truncated;
		},
		async embed(texts) {
			const keys = texts.map(text => sha256(text).slice(0, 2 * KEY_BYTES));
			const missing = new Map<string, string>();
			keys.forEach((key, i) => {
				if (!cache.has(key)) missing.set(key, texts[i]!);
			});
			if (missing.size > 0) await embedMissing(missing);
			return keys.map(key => cache.get(key)!);
		},
	};
}

const bytesOf = (vector: Float32Array): Buffer => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

function readCache(path: string, dim: number): Map<string, Float32Array> {
	const cache = new Map<string, Float32Array>();
	if (!existsSync(path)) return cache;
	const bytes = readFileSync(path);
	const size = KEY_BYTES + dim * 4;
	for (let at = 0; at + size <= bytes.length; at += size) {
		const key = bytes.toString('hex', at, at + KEY_BYTES);
		const numbers = bytes.buffer.slice(bytes.byteOffset + at + KEY_BYTES, bytes.byteOffset + at + size);
		cache.set(key, new Float32Array(numbers));
	}
	return cache;
}
