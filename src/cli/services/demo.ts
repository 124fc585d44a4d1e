import {existsSync, mkdirSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {packageFile} from '../../core/package-root.js';
import {demoReport} from '../../report/demo-report.js';
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

/** `hindcast demo`: the whole path over the shipped samples, offline, with nothing to configure. */
export async function runDemo(flags: DemoFlags): Promise<ServiceResult> {
	const out = resolve(flags.out);
	mkdirSync(out, {recursive: true});
	const db = join(out, 'demo.duckdb');
	for (const path of [db, `${db}.wal`]) rmSync(path, {force: true});
	const session = {db, quiet: flags.quiet};
	const steps: {name: string; result: ServiceResult; seconds: number}[] = [];
	const step = async (name: string, work: () => Promise<ServiceResult>) => {
		const started = performance.now();
		const result = await work();
		steps.push({name, result, seconds: (performance.now() - started) / 1000});
	};
	for (const folder of samples()) {
		await step(`import ${folder.name}`, () =>
			runImport({...session, paths: [folder.path], format: 'auto', as: folder.name, 'assume-tz': 'UTC', strict: false}),
		);
	}
	await step('extract', () =>
		runExtract({...session, extractor: 'verbatim', 'assistant-beats': 'one', 'retry-failed': false}),
	);
	await step('aggregate', () => runAggregate(session));
	await step('index', () => runIndex({...session, embedder: 'static'}));
	await step('replay', () => runReplay({...session, arm: ARMS, targets: 'messages', repeats: 1, embedder: 'static'}));
	const replayed = steps.at(-1)!.result;
	const exposures = await readExposures(session);
	const report = join(out, 'report.html');
	const {html, markdown} = demoReport(exposures);
	writeFileSync(report, html, {mode: 0o600});
	writeFileSync(join(out, 'report.md'), markdown, {mode: 0o600});
	return {
		json: {
			db,
			report,
			arms: replayed.json.arms,
			steps: steps.map(({name, seconds}) => ({name, seconds: Math.round(seconds * 1000) / 1000})),
		},
		text: [
			...steps.map(({name, result, seconds}) => `── ${name} (${seconds.toFixed(1)} s)\n${result.text}`),
			'',
			`Report: ${report}`,
		].join('\n'),
		exit: 0,
	};
}

/** Folders of the package's samples. */
function samples(): {name: string; path: string}[] {
	const root = packageFile('datasets');
	return readdirSync(root)
		.sort()
		.filter(name => existsSync(join(root, name, 'README.md')))
		.map(name => ({name, path: join(root, name)}));
}
