import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {loadArm} from '../../arms/arm.js';
import {type BenchRow, benchSet} from '../../bench/recall-bench.js';
import {buildSet, type Fold} from '../../bench/set.js';
import {seededRandom} from '../../core/seeded-random.js';
import {Zone} from '../../core/time.js';
import {cachedEmbedder} from '../../embedders/cached.js';
import {loadEmbedder} from '../../embedders/registry.js';
import {HindcastError} from '../../errors.js';
import {silentProgress} from '../../ports/progress.js';
import {baselineJudge} from '../../stages/judge/judge.js';
import type {FunnelSetup} from '../../stages/replay/funnel.js';
import {baselineShortlister} from '../../stages/shortlist/shortlist.js';
import {systemClock, terminalPorts} from '../ports.js';
import type {ServiceResult} from '../result.js';
import {modelPlaces} from '../session.js';

export interface BenchRecallFlags {
	readonly quiet: boolean;
	readonly sets: readonly string[];
	readonly embedder: readonly string[];
	readonly arm: readonly string[];
	readonly fold: string;
	readonly cache?: string | undefined;
	readonly queries?: number | undefined;
	readonly rivals: boolean;
	readonly 'model-dir'?: string | undefined;
	readonly offline: boolean;
}

/** Seed of the bootstrap. */
const BOOTSTRAP_SEED = 'hindcast bench recall';

/** `hindcast bench recall` */
export async function runBenchRecall(flags: BenchRecallFlags): Promise<ServiceResult> {
	const ports = await terminalPorts(flags);
	for (const folder of flags.sets) {
		if (!existsSync(join(folder, 'conversations.jsonl'))) {
			throw new HindcastError('PATH_MISSING', {message: `${folder} holds no conversations.jsonl.`});
		}
	}
	const rows: BenchRow[] = [];
	for (const folder of flags.sets) {
		ports.progress.note(`building ${folder}`);
		const set = await buildSet(folder, {...ports, progress: silentProgress});
		for (const [n, name] of flags.embedder.entries()) {
			const loaded = await loadEmbedder(name, modelPlaces(flags));
			const embedder = flags.cache ? cachedEmbedder(loaded, flags.cache) : loaded;
			const setups = flags.arm.map(arm => setupOf(arm, embedder));
			const config = {
				setups,
				embedder,
				fold: flags.fold as Fold | 'all',
				queriesMax: flags.queries ?? null,
				withRivals: flags.rivals,
				random: seededRandom(BOOTSTRAP_SEED),
			};
			const found = await benchSet(set, config, ports);
			// Rivals without vectors are the same for every embedder.
			rows.push(...found.filter(row => n === 0 || row.embedder !== null));
		}
		set.store.close();
	}
	return {json: {rows}, text: toTable(rows), exit: 0};
}

function setupOf(name: string, embedder: FunnelSetup['embedder']): FunnelSetup {
	const arm = {...loadArm(name), availability: 'immediate' as const};
	return {
		arm,
		armName: arm.name,
		armSha: '',
		cardSetId: '',
		relationOn: false,
		zone: new Zone('UTC'),
		clock: systemClock,
		embedder,
		shortlister: baselineShortlister(arm.shortlist_max),
		judge: baselineJudge,
	};
}

function toTable(rows: readonly BenchRow[]): string {
	const head = [
		'set',
		'system',
		'embedder',
		'queries',
		'@5',
		'@20',
		'pool',
		'fold a@20',
		'fold b@20',
		'1k',
		'4k',
		'16k',
		'mrr',
		'ci95@20',
	];
	const cells = rows.map(row => [
		row.set,
		row.arm,
		row.embedder ?? '-',
		String(row.queries),
		...[row.recall['5'], row.recall['20'], row.recall.pool].map(figure),
		figure(row.by.fold.a?.recall['20']),
		figure(row.by.fold.b?.recall['20']),
		...[row.budget['1000'], row.budget['4000'], row.budget['16000'], row.mrr].map(figure),
		row.ci95.map(figure).join('–'),
	]);
	const widths = head.map((name, i) => Math.max(name.length, ...cells.map(row => row[i]!.length)));
	return [head, ...cells]
		.map(row =>
			row
				.map((cell, i) => cell.padEnd(widths[i]!))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}

const figure = (value: number | undefined): string => (value === undefined ? '-' : value.toFixed(3).replace(/^0/, ''));
