import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {z} from 'zod';
import {packageFile} from '../../core/package-root.js';
import {funnels, poolCounts} from '../../report/counts.js';
import {demoReport} from '../../report/demo-report.js';
import type {GoldLine} from '../../report/gold.js';
import {type DemoStep, demoSummary} from '../../report/summary.js';
import type {ServiceResult} from '../result.js';
import {runAggregate} from './aggregate.js';
import {readExposures} from './exposures.js';
import {runExtract} from './extract.js';
import {runImport} from './import.js';
import {runIndex} from './index.js';
import {runReplay} from './replay.js';

export interface DemoFlags {
	readonly quiet: boolean;
	readonly out: string;
}

/** Arms that the demo compares, both on the embedder that is always there. */
const ARMS = ['seed', 'hybrid'];

/** A line of a sample's gold.jsonl. */
const GoldRecord = z.object({
	target: z.string(),
	helps: z.array(z.string()),
	reason: z.string(),
	needs_memory: z.boolean(),
});

interface Sample {
	readonly name: string;
	readonly path: string;
}

/** A stage of the demo: its name, its work, and its result in a few words. */
interface Stage {
	readonly name: string;
	readonly run: () => Promise<ServiceResult>;
	readonly note: (json: Json) => string;
}

// biome-ignore lint/suspicious/noExplicitAny: results of services are open records; the notes read a few members.
type Json = any;

/** `hindcast demo`: the whole path over the shipped samples, offline, with nothing to configure. */
export async function runDemo(flags: DemoFlags): Promise<ServiceResult> {
	const out = resolve(flags.out);
	mkdirSync(out, {recursive: true});
	const db = join(out, 'demo.duckdb');
	for (const path of [db, `${db}.wal`]) rmSync(path, {force: true});
	const session = {db, quiet: flags.quiet, offline: true};
	const steps: DemoStep[] = [];
	let replayed: Json = {};
	for (const {name, run, note} of stages(session)) {
		const started = performance.now();
		const {json, exit, text} = await run();
		steps.push({name, seconds: secondsSince(started), note: note(json)});
		// What was interrupted or left undone is not reported on as if it were whole.
		if (exit !== 0) return {json: {db, steps}, text: `${name} was not finished\n${text}`, exit};
		replayed = json;
	}
	const started = performance.now();
	const arms: string[] = replayed.arms.map((report: Json) => report.arm);
	const gold = new Map(samples().map(sample => [sample.name, readGold(sample)]));
	const {
		zone,
		targets,
		gold: goldRows,
	} = await readExposures(session, arms, new Map([...gold].filter(([, g]) => g.length > 0)));
	const counted = targets.flatMap(({line, exposures}) => exposures.map(exposure => ({line, ...exposure})));
	const counts = poolCounts(counted);
	const {html, markdown} = demoReport({zone, arms, counts, funnels: funnels(arms, counted), gold: goldRows, targets});
	const report = join(out, 'report.html');
	writeFileSync(report, html, {mode: 0o600});
	writeFileSync(join(out, 'report.md'), markdown, {mode: 0o600});
	const megabytes = (statSync(report).size / 1e6).toFixed(1);
	steps.push({name: 'report', seconds: secondsSince(started), note: `${targets.length} messages, ${megabytes} MB`});
	return {
		json: {db, report, arms: replayed.arms, steps, counts, gold: goldRows},
		text: `${demoSummary(steps, counts, goldRows)}\n\nReport: ${report}\nMemory: ${db}`,
		exit: 0,
	};
}

function stages(session: {db: string; quiet: boolean; offline: boolean}): Stage[] {
	return [
		...samples().map(({name, path}) => ({
			name: `import ${name}`,
			run: () => runImport({...session, paths: [path], format: 'auto', as: name, 'assume-tz': 'UTC', strict: false}),
			note: (json: Json) => `${json.conversations} conversations, ${json.messages} messages`,
		})),
		{
			name: 'extract',
			run: () => runExtract({...session, extractor: 'verbatim', 'assistant-beats': 'one', 'retry-failed': false}),
			note: json => `${json.cards} cards, ${json.beats.exact} quotes word for word`,
		},
		{name: 'aggregate', run: () => runAggregate(session), note: json => `${json.cards.kept} cards kept`},
		{
			name: 'index',
			run: () => runIndex({...session, embedder: 'static'}),
			note: json => `${json.embedded} vectors, built-in embedder`,
		},
		{
			name: 'replay',
			run: () => runReplay({...session, arm: ARMS, targets: 'messages', repeats: 1, embedder: 'static'}),
			note: json => `${json.targets} messages, ${ARMS.length} arms`,
		},
	];
}

const secondsSince = (started: number): number => Math.round(performance.now() - started) / 1000;

/** Folders of the package's samples. */
function samples(): Sample[] {
	const root = packageFile('datasets');
	return readdirSync(root)
		.sort()
		.filter(name => existsSync(join(root, name, 'README.md')))
		.map(name => ({name, path: join(root, name)}));
}

/** A sample's gold, under the ids of its export; empty when it has none. */
function readGold({path}: Sample): GoldLine[] {
	const file = join(path, 'gold.jsonl');
	if (!existsSync(file)) return [];
	const lines = readFileSync(file, 'utf8').split('\n');
	return lines.filter(line => line.trim() !== '').map(line => GoldRecord.parse(JSON.parse(line)));
}
