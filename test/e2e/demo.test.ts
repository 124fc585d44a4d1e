import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import type {PoolCounts} from '../../src/report/counts.js';
import type {GoldRow} from '../../src/report/gold.js';
import {type DemoStep, demoSummary} from '../../src/report/summary.js';
import {cliJson, root, tempFolder} from '../helpers/cli.js';

interface DemoJson {
	readonly ok: boolean;
	readonly db: string;
	readonly report: string;
	readonly arms: readonly {readonly arm: string; readonly targets: number}[];
	readonly steps: readonly DemoStep[];
	readonly counts: readonly PoolCounts[];
	readonly gold: readonly GoldRow[];
}

const folder = tempFolder();
let demo: DemoJson;

beforeAll(async () => {
	const {json, exit, stderr} = await cliJson(['demo', '--quiet', '--offline', '--out', 'out'], {cwd: folder.path});
	expect(exit, stderr).toBe(0);
	demo = json;
}, 240_000);

afterAll(() => folder[Symbol.dispose]());

test('the result names the memory file, the report, the arms, the steps and the comparison with gold', () => {
	expect(demo.ok).toBe(true);
	expect(demo.db).toBe(join(folder.path, 'out/demo.duckdb'));
	expect(demo.report).toBe(join(folder.path, 'out/report.html'));
	expect(demo.arms.map(({arm}) => arm)).toEqual(['seed (static)', 'hybrid']);
	expect(demo.steps.map(({name}) => name)).toEqual([
		'import fernway-chatgpt',
		'import first-steps',
		'import xiaoman-claude',
		'extract',
		'aggregate',
		'index',
		'replay',
		'report',
	]);
});

test('both pools of both arms hold at least forty exposures of the two big samples', () => {
	const big = demo.counts.filter(({sample}) => sample !== 'first-steps');
	for (const {arm} of demo.arms) {
		const own = big.filter(row => row.arm === arm);
		expect(own.length, arm).toBe(2);
		for (const pool of ['delivered', 'rejected'] as const) {
			expect(
				own.reduce((sum, row) => sum + row[pool], 0),
				`${arm} ${pool}`,
			).toBeGreaterThanOrEqual(40);
		}
	}
});

test('every judged message of the samples was replayed', () => {
	const judged = demo.gold.map(({sample, needed, not_needed}) => [sample, needed.targets, not_needed.targets]);
	expect(judged).toEqual([
		['fernway-chatgpt', 85, 54],
		['fernway-chatgpt', 85, 54],
		['xiaoman-claude', 137, 86],
		['xiaoman-claude', 137, 86],
	]);
});

test('the report is one private file of moderate size that refers to nothing outside itself', () => {
	const html = readFileSync(demo.report, 'utf8');
	expect(html.match(/<article /g)).toHaveLength(612);
	expect(html.replace(/<article .*?<\/article>/gs, '')).not.toMatch(/https?:|src=|@import|url\(|<link|<script/);
	expect(html).not.toMatch(/<(script|img|link|iframe|object)\b/);
	expect(statSync(demo.report).size).toBeLessThan(3_000_000);
	for (const path of [demo.report, join(folder.path, 'out/report.md')]) expect(statSync(path).mode & 0o077).toBe(0);
});

/** Figures and spaces aside, so that a transcript need not be pasted anew when a threshold moves. */
const shape = (text: string): string[] =>
	text
		.replace(/\d+(\.\d+)?/g, '#')
		.split('\n')
		.map(line => line.trim().replace(/\s+/g, ' '))
		.filter(line => line !== '');

test.each(['README.md', 'README.zh-CN.md'])('the transcript in %s is what the demo prints', page => {
	const text = readFileSync(join(root, page), 'utf8');
	const transcript = /```text\n(.*?)\n```/s.exec(text)?.[1] ?? '';
	const printed = shape(demoSummary(demo.steps, demo.counts, demo.gold));
	expect(shape(transcript).slice(0, printed.length)).toEqual(printed);
	expect(shape(transcript)[printed.length]).toMatch(/^Report: .*report\.html$/);
});
