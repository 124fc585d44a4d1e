import type {PoolCounts} from './counts.js';
import type {GoldRow} from './gold.js';
import {percent} from './words.js';

/** A step of the demo, as a line of its summary. */
export interface DemoStep {
	readonly name: string;
	readonly seconds: number;
	/** What it made. */
	readonly note: string;
}

/** What the demo says of itself in a terminal: a line a step, what the arms did, and how that compares with gold. */
export function demoSummary(
	steps: readonly DemoStep[],
	counts: readonly PoolCounts[],
	gold: readonly GoldRow[],
): string {
	return [
		aligned(
			steps.map(({name, seconds, note}) => [name, `${seconds.toFixed(1)} s`, note]),
			'lrl',
		),
		'',
		'Every message, as of its own time:',
		aligned(
			[
				['', 'arm', 'messages', 'delivered', 'held back', 'not judged'],
				...counts.map(({sample, arm, messages, delivered, rejected, not_judged}) => [
					sample,
					arm,
					...[messages, delivered, rejected, not_judged].map(String),
				]),
			],
			'llrrrr',
		),
		'',
		'Against the gold of the samples (a help is an earlier message that helps to answer):',
		'  needed  messages that need memory; with a help in the pool, listed, delivered (helped); given any',
		'  none    messages that need none; given nothing (silent)',
		aligned(
			[['', 'arm', 'needed', 'in pool', 'share', 'listed', 'helped', 'any', 'none', 'silent'], ...gold.map(goldCells)],
			'llrrrrrrrr',
		),
	].join('\n');
}

function goldCells({sample, arm, needed, not_needed}: GoldRow): string[] {
	const {targets} = needed;
	return [
		sample,
		arm,
		String(targets),
		percent(needed.in_pool, targets),
		needed.pool_share?.toFixed(2) ?? '–',
		...[needed.shortlisted, needed.delivered_help, needed.delivered_any].map(n => percent(n, targets)),
		String(not_needed.targets),
		percent(not_needed.silent, not_needed.targets),
	];
}

/** Columns two spaces apart; `l` or `r` a column. */
function aligned(rows: readonly (readonly string[])[], sides: string): string {
	const widths = [...sides].map((_, i) => Math.max(...rows.map(row => row[i]?.length ?? 0)));
	return rows
		.map(row =>
			row.map((cell, i) => (sides[i] === 'r' ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))).join('  '),
		)
		.map(line => `  ${line}`.trimEnd())
		.join('\n');
}
