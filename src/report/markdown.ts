import type {Zone} from '../core/time.js';
import {quoteLine} from '../text/normalize.js';
import type {DemoReport} from './demo-report.js';
import {visibleControls} from './escape.js';
import {groupBy, kindOf, type ShownExposure, type ShownSegment, type ShownTarget} from './shown.js';
import {FATE_WORDS, POOL_WORDS, plural, reasonWords} from './words.js';

/** The report as Markdown: the figures, and every message that was given something. */
export function reportMarkdown(report: DemoReport): string {
	const lines = [
		'# What each arm delivered',
		'',
		`Every message as of its own time. Times are those of the memory zone, ${report.zone.name}. Quotes are word for word;`,
		'under each stand its time, speaker, message id and characters from–to.',
		'',
		'| sample | arm | messages | delivered | held back | not judged |',
		'|---|---|---:|---:|---:|---:|',
		...report.counts.map(
			({sample, arm, messages, delivered, rejected, not_judged}) =>
				`| ${sample} | ${arm} | ${messages} | ${delivered} | ${rejected} | ${not_judged} |`,
		),
		'',
		'Against gold, the judgements that come with the samples:',
		'',
		'| sample | arm | need memory | help in pool | share in pool | shortlisted | help delivered | anything delivered | need none | stayed silent |',
		'|---|---|---:|---:|---:|---:|---:|---:|---:|---:|',
		...report.gold.map(
			({sample, arm, needed, not_needed}) =>
				`| ${sample} | ${arm} | ${needed.targets} | ${needed.in_pool} | ${needed.pool_share?.toFixed(2) ?? '-'} | ${needed.shortlisted} | ${needed.delivered_help} | ${needed.delivered_any} | ${not_needed.targets} | ${not_needed.silent} |`,
		),
	];
	for (const [sample, targets] of groupBy(report.targets, ({line}) => line)) {
		const given = targets.filter(target => kindOf(target) !== 'none');
		lines.push('', `## ${sample}`, '');
		lines.push(
			`${plural(given.length, 'message')} of ${targets.length} were given something; the others are in report.html.`,
		);
		for (const target of given) lines.push(...targetLines(target, report.zone));
	}
	return `${lines.join('\n')}\n`;
}

function targetLines({target_id, text, at, exposures, gold}: ShownTarget, zone: Zone): string[] {
	const time = at === null ? 'no time' : `${zone.clockOf(at)} ${zone.name}`;
	const lines = ['', `### ${time} · ${target_id}`, '', ...fenced(text)];
	if (gold) lines.push('', `Gold: ${gold.needs_memory ? 'needs memory' : 'needs none'}`);
	for (const {message_id, fates} of gold?.helps ?? []) {
		lines.push(`- ${message_id}: ${fates.map(({arm, fate}) => `${arm} ${FATE_WORDS[fate]}`).join('; ')}`);
	}
	return [...lines, ...exposures.flatMap(exposure => exposureLines(exposure, zone))];
}

function exposureLines({arm, pool, reason, n_candidates, segments}: ShownExposure, zone: Zone): string[] {
	const delivered = segments.filter(segment => segment.delivered);
	return [
		'',
		`**${arm}**: ${POOL_WORDS[pool]} (${reasonWords(reason, n_candidates)})`,
		...delivered.flatMap(segment => ['', ...fenced(cardText(segment, zone))]),
	];
}

const cardText = ({title, parts}: ShownSegment, zone: Zone): string =>
	[
		`〔${quoteLine(title)}〕`,
		...parts.flatMap(part =>
			part === 'gap'
				? ['  ……']
				: [
						`  「${quoteLine(part.quote)}」`,
						`    ${part.at === null ? 'no time' : zone.clockOf(part.at)} · ${part.speaker} · ${part.message_id} ${part.char_start}–${part.char_end}`,
					],
		),
	].join('\n');

/** A fence longer than any run of backticks inside, so that chat text cannot end it. */
function fenced(text: string): string[] {
	const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(match => match[0].length));
	const fence = '`'.repeat(longest + 1);
	return [`${fence}text`, visibleControls(text), fence];
}
