import type {Funnel, PoolCounts} from './counts.js';
import type {DemoReport} from './demo-report.js';
import {chatHtml, escapeHtml, langAttribute} from './escape.js';
import type {GoldRow} from './gold.js';
import {armClass, type PageContext, targetHtml} from './html-target.js';
import {groupBy, kindOf, type ShownTarget, type TargetKind} from './shown.js';
import {STYLE} from './style.js';
import {percent, plural} from './words.js';

/** Sections of a sample, in this order; only the first stands open. */
const KINDS: readonly {readonly kind: TargetKind; readonly title: string; readonly about: string}[] = [
	{kind: 'differ', title: 'The arms differ', about: 'one delivered, or another card or quote'},
	{kind: 'alike', title: 'Both delivered the same', about: 'card for card, quote for quote'},
	{kind: 'none', title: 'Nothing was delivered', about: 'by any arm'},
];

/** The report as one HTML file that refers to nothing outside itself. */
export function reportHtml(report: DemoReport): string {
	const page = {zone: report.zone, arms: report.arms};
	const samples = groupBy(report.targets, ({line}) => line);
	return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>hindcast demo: what each arm delivered</title><style>${STYLE}</style></head><body>
<header><h1>What each arm delivered</h1>
<p class="lead">${plural(report.targets.length, 'message')} of ${plural(samples.size, 'sample')}, each replayed as of its own time: an arm sees only what had been said, and processed, before the message. A quote is the exact text of an earlier message; under it stand the day and time, who said it, the id of the message and the characters from–to.</p>
<p class="soft small">Times are those of the memory zone, ${escapeHtml(report.zone.name)}. Cards become visible at 06:00 of the next day. No language model was used: embeddings and thresholds only.</p>
<nav>${[...samples].map(([line, targets], i) => `<a href="#s${i}">${escapeHtml(line)} (${targets.length})</a>`).join('')}</nav></header>
<h2>In short</h2>
<div class="two">${report.funnels.map(funnel => funnelHtml(funnel, page)).join('')}</div>
<div class="panel">${goldTableHtml(report.gold, page)}</div>
<div class="panel">${countsHtml(report.counts, page)}</div>
${[...samples].map(([line, targets], i) => sampleHtml(line, targets, `s${i}`, page)).join('\n')}
<footer>Made offline by <code>hindcast demo</code>. On paper only what is open is printed. Every row behind this page can be read from the memory file beside it, for example with <code>hindcast db export --ndjson exposures</code>.</footer>
</body></html>
`;
}

function funnelHtml({arm, steps}: Funnel, page: PageContext): string {
	const whole = steps[0]?.n ?? 0;
	const rows = steps.map(({name, n}) => {
		const width = whole === 0 ? 0 : Math.round((1000 * n) / whole) / 10;
		return `<tr><td>${name}</td><td class="track" aria-hidden="true"><div style="width:${width}%"></div></td><td class="n">${n} <i>${percent(n, whole)}</i></td></tr>`;
	});
	return `<div class="panel ${armClass(arm, page)}"><table class="funnel"><caption><span class="name">${escapeHtml(arm)}</span>: messages that reached each step</caption><tbody>${rows.join('')}</tbody></table></div>`;
}

/** A table with a heading row a sample, and below it a row an arm. */
function bySample<T extends {readonly sample: string; readonly arm: string}>(
	rows: readonly T[],
	cellsOf: (row: T) => readonly (string | number)[],
	page: PageContext,
): string {
	const bodies = [...groupBy(rows, ({sample}) => sample)].map(([sample, own]) => {
		const lines = own.map(row => {
			const cells = cellsOf(row).map(cell => `<td class="n">${cell}</td>`);
			return `<tr><td class="name ${armClass(row.arm, page)}">${escapeHtml(row.arm)}</td>${cells.join('')}</tr>`;
		});
		const width = 1 + cellsOf(own[0]!).length;
		return `<tbody><tr><th scope="rowgroup" colspan="${width}">${escapeHtml(sample)}</th></tr>${lines.join('')}</tbody>`;
	});
	return bodies.join('');
}

const headCells = (names: readonly string[]): string =>
	names.map(name => `<th class="n" scope="col">${name}</th>`).join('');

function countsHtml(counts: readonly PoolCounts[], page: PageContext): string {
	const rows = bySample(counts, row => [row.messages, row.delivered, row.rejected, row.not_judged], page);
	return `<h3>Messages by what became of them</h3>
<p class="about">Held back: the judge saw cards and found none of use. Not judged: an acknowledgement, or nothing to show.</p>
<div class="wide"><table><thead><tr><th scope="col">arm</th>${headCells(['messages', 'delivered', 'held back', 'not judged'])}</tr></thead>${rows}</table></div>`;
}

const NEEDED = [
	'messages',
	'help in pool',
	'mean share in pool',
	'help shortlisted',
	'help delivered',
	'anything delivered',
];
const NOT_NEEDED = ['messages', 'stayed silent'];

function goldTableHtml(gold: readonly GoldRow[], page: PageContext): string {
	const of = (n: number, whole: number) => `${n} <i>${percent(n, whole)}</i>`;
	const cellsOf = ({needed, not_needed}: GoldRow) => [
		needed.targets,
		of(needed.in_pool, needed.targets),
		needed.pool_share?.toFixed(2) ?? '–',
		of(needed.shortlisted, needed.targets),
		of(needed.delivered_help, needed.targets),
		of(needed.delivered_any, needed.targets),
		not_needed.targets,
		of(not_needed.silent, not_needed.targets),
	];
	return `<h3>Against gold, the judgements that come with the samples</h3>
<p class="about">A help is an earlier message that would really help to answer. Mean share: the part of the helps of a message that the pool holds, averaged. Messages that gold does not judge are left out.</p>
<div class="wide"><table><thead><tr><th></th><th class="over" scope="colgroup" colspan="${NEEDED.length}">memory is needed</th><th class="over" scope="colgroup" colspan="${NOT_NEEDED.length}">none is needed</th></tr>
<tr><th scope="col">arm</th>${headCells([...NEEDED, ...NOT_NEEDED])}</tr></thead>${bySample(gold, cellsOf, page)}</table></div>`;
}

function sampleHtml(line: string, targets: readonly ShownTarget[], id: string, page: PageContext): string {
	const kinds = groupBy(targets, kindOf);
	const sections = KINDS.flatMap(({kind, title, about}) => {
		const own = kinds.get(kind);
		if (!own) return [];
		const isOpen = kind !== 'none';
		return `<details class="kind"${isOpen ? ' open' : ''}><summary>${title} <span>${plural(own.length, 'message')} · ${about}</span></summary>${daysHtml(own, isOpen && kind === 'differ', page)}</details>`;
	});
	return `<section id="${id}"><h2>${escapeHtml(line)}</h2>${sections.join('\n')}</section>`;
}

/** Messages by day and conversation, folded but for the first day when asked for. */
function daysHtml(targets: readonly ShownTarget[], opensFirst: boolean, page: PageContext): string {
	const dayOf = ({at}: ShownTarget) => (at === null ? 'no time' : page.zone.dayOf(at));
	const days = [...groupBy(targets, target => JSON.stringify([dayOf(target), target.conversation])).values()];
	return days
		.map((own, i) => {
			const {conversation} = own[0]!;
			const title = `<span class="time">${dayOf(own[0]!)}</span> <b${langAttribute(conversation)}>${chatHtml(conversation)}</b>`;
			return `<details class="day"${opensFirst && i === 0 ? ' open' : ''}><summary>${title} <span>· ${plural(own.length, 'message')}</span></summary>${own.map(target => targetHtml(target, page)).join('\n')}</details>`;
		})
		.join('\n');
}
