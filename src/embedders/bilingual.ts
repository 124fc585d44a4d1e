import type {Embedder} from '../ports/embedder.js';

/** Share of Chinese characters among Chinese characters and Latin words; 0 for a text with neither. */
export function chineseShare(text: string): number {
	const chinese = text.match(/\p{Script=Han}/gu)?.length ?? 0;
	const latin = text.match(/\p{Script=Latin}+/gu)?.length ?? 0;
	return chinese + latin === 0 ? 0 : chinese / (chinese + latin);
}

/**
 * Two models side by side, weighted by the text's share w of Chinese: √w·zh ‖ √(1−w)·latin. A pure text equals its
 * own model's result, a mixed one meets both.
 */
export function bilingualEmbedder(zh: Embedder, latin: Embedder): Embedder {
	const dim = zh.dim + latin.dim;
	return {
		name: 'bilingual',
		fingerprint: `bilingual/1/${zh.fingerprint}+${latin.fingerprint}`,
		dim,
		get truncated() {
			return zh.truncated + latin.truncated;
		},
		async embed(texts) {
			const shares = texts.map(chineseShare);
			// A model whose weight is nought is not asked.
			const ofZh = await embedWhere(
				zh,
				texts,
				shares.map(share => share > 0),
			);
			const ofLatin = await embedWhere(
				latin,
				texts,
				shares.map(share => share < 1),
			);
			return shares.map((share, i) => {
				const vector = new Float32Array(dim);
				const [a, b] = [Math.sqrt(share), Math.sqrt(1 - share)];
				ofZh[i]?.forEach((value, n) => {
					vector[n] = a * value;
				});
				ofLatin[i]?.forEach((value, n) => {
					vector[zh.dim + n] = b * value;
				});
				return vector;
			});
		},
	};
}

async function embedWhere(
	embedder: Embedder,
	texts: readonly string[],
	wanted: readonly boolean[],
): Promise<(Float32Array | null)[]> {
	const vectors = await embedder.embed(texts.filter((_, i) => wanted[i]));
	let next = 0;
	return wanted.map(isWanted => (isWanted ? vectors[next++]! : null));
}
