import type {Embedder} from '../ports/embedder.js';
import {tokenize} from '../text/tokens.js';

const DIM = 256;

/**
 * Feature hashing of lexical tokens into 256 signed buckets (Weinberger et al. 2009): no weights, no files, the same
 * bytes everywhere. It knows words, not meaning: for tests.
 */
export const hashedEmbedder = (): Embedder => ({
	name: 'hashed',
	fingerprint: `hashed/1/${DIM}`,
	dim: DIM,
	truncated: 0,
	embed: async texts => texts.map(embedOne),
});

function embedOne(text: string): Float32Array {
	const sums = new Float64Array(DIM);
	for (const token of tokenize(text)) {
		const hash = fnv1a(token);
		sums[hash % DIM]! += (hash >>> 16) & 1 ? 1 : -1;
	}
	let squares = 0;
	for (const value of sums) squares += value * value;
	const norm = Math.sqrt(squares) || 1;
	return Float32Array.from(sums, value => value / norm);
}

/** 32-bit FNV-1a over UTF-16 units. */
function fnv1a(text: string): number {
	let hash = 0x811c9dc5;
	for (let i = 0; i < text.length; i++) {
		hash ^= text.charCodeAt(i);
		hash = Math.imul(hash, 0x01000193);
	}
	return hash >>> 0;
}
