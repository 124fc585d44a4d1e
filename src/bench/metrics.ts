import type {Random} from '../ports/random.js';

/** One query's gold and one system's answer. */
export interface Judged {
	/** Evidence message ids. */
	readonly gold: readonly string[];
	/** Distinct source messages, best first. */
	readonly ranked: readonly string[];
	/** Code points shown up to and with each ranked message, for recall at equal text budgets. */
	readonly shownChars: readonly number[];
	/** The conversation, for resampling. */
	readonly group: string;
}

/** Evidence recall at these ranks; `pool` is anywhere. */
export const RANKS = [5, 20] as const;
/** … and within this many characters of what would be shown. */
export const BUDGETS = [1000, 4000, 16_000] as const;

export interface Metrics {
	readonly queries: number;
	readonly recall: Readonly<Record<'5' | '20' | 'pool', number>>;
	readonly budget: Readonly<Record<'1000' | '4000' | '16000', number>>;
	/** Mean of 1 / rank of the first evidence; 0 where none was found. */
	readonly mrr: number;
	/** nDCG at 10 with binary gains and the discount 1 / log2(rank + 1). */
	readonly ndcg10: number;
}

/** Averages over queries with gold evidence. */
export function metricsOf(queries: readonly Judged[]): Metrics {
	const at = (k: number) => round(mean(queries.map(query => recallAt(query, k))));
	const within = (chars: number) => round(mean(queries.map(query => recallWithin(query, chars))));
	return {
		queries: queries.length,
		recall: {'5': at(RANKS[0]), '20': at(RANKS[1]), pool: at(Number.POSITIVE_INFINITY)},
		budget: {'1000': within(BUDGETS[0]), '4000': within(BUDGETS[1]), '16000': within(BUDGETS[2])},
		mrr: round(mean(queries.map(reciprocalRank))),
		ndcg10: round(mean(queries.map(query => ndcg(query, 10)))),
	};
}

/** Share of the evidence among the first k ranked messages. */
export function recallAt({gold, ranked}: Judged, k: number): number {
	const wanted = new Set(gold);
	return ranked.slice(0, k).filter(id => wanted.has(id)).length / wanted.size;
}

function recallWithin({gold, ranked, shownChars}: Judged, chars: number): number {
	const wanted = new Set(gold);
	return ranked.filter((id, i) => wanted.has(id) && shownChars[i]! <= chars).length / wanted.size;
}

function reciprocalRank({gold, ranked}: Judged): number {
	const wanted = new Set(gold);
	const first = ranked.findIndex(id => wanted.has(id));
	return first < 0 ? 0 : 1 / (first + 1);
}

function ndcg({gold, ranked}: Judged, k: number): number {
	const wanted = new Set(gold);
	const gain = (rank: number) => 1 / Math.log2(rank + 2);
	const found = ranked.slice(0, k).reduce((sum, id, rank) => sum + (wanted.has(id) ? gain(rank) : 0), 0);
	const best = Array.from({length: Math.min(k, wanted.size)}, (_, rank) => gain(rank)).reduce((a, b) => a + b, 0);
	return found / best;
}

/** Draws of the bootstrap. */
const DRAWS = 1000;

/**
 * Percentile bootstrap over conversations (Efron and Tibshirani 1993, chapter 13): conversations are drawn with
 * replacement, and the mean over the queries of those drawn is taken. 95 % interval of recall at 20.
 */
export function intervalOf(queries: readonly Judged[], random: Random): [number, number] {
	const groups = new Map<string, number[]>();
	for (const query of queries) {
		const values = groups.get(query.group);
		const value = recallAt(query, 20);
		if (values) values.push(value);
		else groups.set(query.group, [value]);
	}
	const sums = [...groups.values()].map(values => [values.reduce((a, b) => a + b, 0), values.length] as const);
	const means: number[] = [];
	for (let draw = 0; draw < DRAWS; draw++) {
		let [sum, n] = [0, 0];
		for (let i = 0; i < sums.length; i++) {
			const [groupSum, groupSize] = sums[Math.floor(random.next() * sums.length)]!;
			sum += groupSum;
			n += groupSize;
		}
		means.push(n === 0 ? 0 : sum / n);
	}
	means.sort((a, b) => a - b);
	return [round(means[Math.floor(0.025 * DRAWS)]!), round(means[Math.ceil(0.975 * DRAWS) - 1]!)];
}

const mean = (values: readonly number[]): number =>
	values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Four decimals: more would pretend. */
export const round = (value: number): number => Math.round(value * 1e4) / 1e4;
