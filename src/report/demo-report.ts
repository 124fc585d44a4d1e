import {formatInstant, type Instant} from '../core/time.js';
import {escapeHtml, visibleControls} from './escape.js';

/** An exposure as the report shows it. */
export interface ShownExposure {
	readonly arm: string;
	readonly line: string;
	readonly target_id: string;
	readonly target_text: string;
	readonly cutoff: Instant | null;
	readonly decision: 'deliver' | 'skip';
	readonly pool: 'delivered' | 'rejected' | 'not_judged';
	readonly reason: string;
	readonly n_candidates: number;
	/** Delivered segments, from 1. */
	readonly segs: readonly number[];
	readonly segments: readonly {readonly card_id: string; readonly text: string; readonly sources: readonly string[]}[];
}

/** Counts of one arm. */
interface ArmCounts {
	readonly arm: string;
	readonly targets: number;
	readonly delivered: number;
	readonly rejected: number;
	readonly not_judged: number;
}

/** A readable report of what each arm delivered, with the quotes and where they come from: HTML in one file, and Markdown. */
export function demoReport(exposures: readonly ShownExposure[]): {html: string; markdown: string} {
	const counts = countArms(exposures);
	const targets = groupByTarget(exposures);
	return {html: toHtml(counts, targets), markdown: toMarkdown(counts, targets)};
}

function countArms(exposures: readonly ShownExposure[]): ArmCounts[] {
	const arms = [...new Set(exposures.map(({arm}) => arm))].sort();
	return arms.map(arm => {
		const own = exposures.filter(exposure => exposure.arm === arm);
		const of = (pool: ShownExposure['pool']) => own.filter(exposure => exposure.pool === pool).length;
		return {
			arm,
			targets: own.length,
			delivered: of('delivered'),
			rejected: of('rejected'),
			not_judged: of('not_judged'),
		};
	});
}

function groupByTarget(exposures: readonly ShownExposure[]): ShownExposure[][] {
	const groups = new Map<string, ShownExposure[]>();
	for (const exposure of exposures) {
		const group = groups.get(exposure.target_id);
		if (group) group.push(exposure);
		else groups.set(exposure.target_id, [exposure]);
	}
	return [...groups.values()];
}

const timeOf = (cutoff: Instant | null): string => (cutoff === null ? 'no time' : formatInstant(cutoff));

const STYLE = `
:root { color-scheme: light dark; --fg: #1d2330; --bg: #fbfaf7; --soft: #6b7280; --line: #dcd9d0; --card: #fff; --good: #1b7f4d; --no: #9a6b12; }
@media (prefers-color-scheme: dark) { :root { --fg: #e7e5df; --bg: #16181d; --soft: #9aa1ad; --line: #33373f; --card: #1e2127; --good: #63c794; --no: #d9ab57; } }
body { font: 16px/1.6 system-ui, "PingFang SC", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif; color: var(--fg); background: var(--bg); margin: 0 auto; max-width: 62rem; padding: 2rem 1.2rem; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .3rem 1rem .3rem 0; border-bottom: 1px solid var(--line); }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
article { border-top: 1px solid var(--line); padding: 1rem 0; break-inside: avoid; }
.meta { color: var(--soft); font-size: .85rem; } .said { white-space: pre-wrap; font-weight: 600; margin: .2rem 0 .6rem; }
.arms { display: grid; gap: .8rem; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); }
section.arm { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; min-width: 0; }
.deliver { color: var(--good); } .skip { color: var(--no); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; font-size: .92rem; margin: .4rem 0 0; }
pre.vetoed { color: var(--soft); } .src { color: var(--soft); font-size: .75rem; overflow-wrap: anywhere; }
@media print { body { max-width: none; background: none; } }
`;

function toHtml(counts: readonly ArmCounts[], targets: readonly ShownExposure[][]): string {
	const rows = counts.map(
		({arm, targets: n, delivered, rejected, not_judged}) =>
			`<tr><td>${escapeHtml(arm)}</td><td class="n">${n}</td><td class="n">${delivered}</td><td class="n">${rejected}</td><td class="n">${not_judged}</td></tr>`,
	);
	return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>hindcast: what each arm delivered</title><style>${STYLE}</style></head><body>
<h1>What each arm delivered</h1>
<p>Every message as of its own time: only what had been said, and processed, before it could be seen. Quotes are word for word; under each block stand the message ids and the characters that they come from.</p>
<table><thead><tr><th>arm</th><th>targets</th><th>delivered</th><th>rejected</th><th>not judged</th></tr></thead><tbody>${rows.join('')}</tbody></table>
${targets.map(targetHtml).join('\n')}
</body></html>
`;
}

function targetHtml(exposures: readonly ShownExposure[]): string {
	const first = exposures[0]!;
	return `<article><p class="meta">${escapeHtml(first.line)} · ${timeOf(first.cutoff)} · ${escapeHtml(first.target_id)}</p>
<p class="said">${escapeHtml(visibleControls(first.target_text))}</p><div class="arms">${exposures.map(armHtml).join('')}</div></article>`;
}

function armHtml({arm, decision, reason, n_candidates, segments, segs}: ShownExposure): string {
	const blocks = segments.map((segment, i) => {
		const chosen = segs.includes(i + 1);
		return `<pre${chosen ? '' : ' class="vetoed"'}>${escapeHtml(visibleControls(segment.text))}</pre><p class="src">${chosen ? '' : 'not delivered · '}${escapeHtml(segment.sources.join(', '))}</p>`;
	});
	return `<section class="arm"><strong>${escapeHtml(arm)}</strong> <span class="${decision}">${decision}</span> <span class="meta">${escapeHtml(reason)} · pool ${n_candidates}</span>${blocks.join('')}</section>`;
}

function toMarkdown(counts: readonly ArmCounts[], targets: readonly ShownExposure[][]): string {
	const lines = [
		'# What each arm delivered',
		'',
		'| arm | targets | delivered | rejected | not judged |',
		'|---|---:|---:|---:|---:|',
	];
	for (const {arm, targets: n, delivered, rejected, not_judged} of counts) {
		lines.push(`| ${arm} | ${n} | ${delivered} | ${rejected} | ${not_judged} |`);
	}
	for (const exposures of targets) {
		const first = exposures[0]!;
		lines.push(
			'',
			`## ${first.target_id}`,
			'',
			`${first.line}, ${timeOf(first.cutoff)}`,
			'',
			fenced(first.target_text),
		);
		for (const {arm, decision, reason, n_candidates, segments, segs} of exposures) {
			lines.push('', `**${arm}**: ${decision} (${reason}), pool ${n_candidates}`);
			segments.forEach((segment, i) => {
				const mark = segs.includes(i + 1) ? 'delivered' : 'not delivered';
				lines.push('', fenced(segment.text), '', `${mark}; from ${segment.sources.join(', ')}`);
			});
		}
	}
	return `${lines.join('\n')}\n`;
}

/** A fence longer than any run of backticks inside, so that chat text cannot end it. */
function fenced(text: string): string {
	const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(match => match[0].length));
	const fence = '`'.repeat(longest + 1);
	return `${fence}text\n${visibleControls(text)}\n${fence}`;
}
