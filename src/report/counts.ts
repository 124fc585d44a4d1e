import type {Pool} from '../domain/exposure.js';

/** What counting needs of an exposure. */
export interface CountedExposure {
	readonly line: string;
	readonly arm: string;
	readonly pool: Pool;
	readonly reason: string;
	readonly n_candidates: number;
}

/** Exposures of an arm by pool, in one sample or in all. */
export interface PoolCounts {
	readonly sample: string;
	readonly arm: string;
	readonly messages: number;
	readonly delivered: number;
	readonly rejected: number;
	readonly not_judged: number;
}

/** How many messages of an arm reached each step. */
export interface Funnel {
	readonly arm: string;
	readonly steps: readonly {readonly name: string; readonly n: number}[];
}

/** A row a sample and arm, in order of first sight. */
export function poolCounts(exposures: readonly CountedExposure[]): PoolCounts[] {
	const rows = new Map<string, {-readonly [K in keyof PoolCounts]: PoolCounts[K]}>();
	for (const {line, arm, pool} of exposures) {
		const key = JSON.stringify([line, arm]);
		const row = rows.get(key) ?? {sample: line, arm, messages: 0, delivered: 0, rejected: 0, not_judged: 0};
		rows.set(key, row);
		row.messages++;
		row[pool]++;
	}
	return [...rows.values()];
}

/** A funnel an arm, over everything. */
export function funnels(arms: readonly string[], exposures: readonly CountedExposure[]): Funnel[] {
	return arms.map(arm => {
		const own = exposures.filter(exposure => exposure.arm === arm);
		const gated = own.filter(({reason}) => !reason.startsWith('exempt:'));
		return {
			arm,
			steps: [
				{name: 'messages', n: own.length},
				{name: 'past the gate', n: gated.length},
				{name: 'with candidates', n: gated.filter(({n_candidates}) => n_candidates > 0).length},
				{name: 'judged', n: own.filter(({pool}) => pool !== 'not_judged').length},
				{name: 'delivered', n: own.filter(({pool}) => pool === 'delivered').length},
			],
		};
	});
}
