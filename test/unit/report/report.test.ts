import {expect, test} from 'vitest';
import {Zone} from '../../../src/core/time.js';
import {funnels, poolCounts} from '../../../src/report/counts.js';
import {type DemoReport, demoReport} from '../../../src/report/demo-report.js';
import {visibleControls} from '../../../src/report/escape.js';
import {kindOf, type ShownBeat, type ShownExposure, type ShownTarget, withGaps} from '../../../src/report/shown.js';
import {demoSummary} from '../../../src/report/summary.js';
import {reasonWords} from '../../../src/report/words.js';

const AT = Date.UTC(2026, 2, 9, 13, 10) * 1000;
const ATTACK = '</blockquote><script>alert(1)</script> \u001b[31m \u202eevil ```\n# not a heading';

const beat = (quote: string, message_id = 'm_1'): ShownBeat => ({
	quote,
	message_id,
	char_start: 3,
	char_end: 17,
	at: AT,
	speaker: 'user',
});

const exposure = (arm: string, delivered: boolean, given: Partial<ShownExposure> = {}): ShownExposure => ({
	arm,
	pool: delivered ? 'delivered' : 'rejected',
	reason: delivered ? 'judge:有用' : 'judge:没用',
	n_candidates: 7,
	segments: [{card_id: 'c', title: '茶', parts: [beat('喝了睡不着'), 'gap', beat(ATTACK, 'm_2')], delivered}],
	...given,
});

const target = (exposures: readonly ShownExposure[], given: Partial<ShownTarget> = {}): ShownTarget => ({
	line: 'tea',
	target_id: 'm_target',
	text: '今晚喝什么',
	at: AT + 86_400_000_000,
	conversation: '晚安',
	exposures,
	gold: null,
	...given,
});

function report(targets: readonly ShownTarget[]): DemoReport {
	const counted = targets.flatMap(({line, exposures}) => exposures.map(one => ({line, ...one})));
	const arms = ['a', 'b'];
	return {
		zone: new Zone('Asia/Shanghai'),
		arms,
		counts: poolCounts(counted),
		funnels: funnels(arms, counted),
		gold: [],
		targets,
	};
}

const both = target([exposure('a', true), exposure('b', false)]);

test('a quote stands with its time in the memory zone, speaker, message id and characters', () => {
	const {html, markdown} = demoReport(report([both]));
	expect(html).toContain('「喝了睡不着」<cite>2026-03-09 21:10 · user · m_1 characters 3–17</cite>');
	expect(html).toContain('2026-03-10 21:10 Asia/Shanghai');
	expect(markdown).toContain('「喝了睡不着」\n    2026-03-09 21:10 · user · m_1 3–17');
});

test('chat text is shown, never obeyed', () => {
	const attacked = target([exposure('a', true), exposure('b', true)], {text: ATTACK, conversation: ATTACK});
	const {html, markdown} = demoReport(report([attacked]));
	expect(html).not.toContain('<script');
	expect(html).toContain('&#60;script&#62;');
	for (const page of [html, markdown]) expect(page).not.toMatch(/[\u001b\u202e]/u);
	expect(html).toContain('\\u001b[31m \\u202eevil');
	expect(markdown).toContain('````text');
});

test('the page refers to nothing outside itself', () => {
	const {html} = demoReport(report([both]));
	expect(html).not.toMatch(/https?:|src=|@import|url\(|<link|<script/);
	expect(html).toMatch(/<meta charset="utf-8">/);
	expect(html).toContain('prefers-color-scheme: dark');
});

test('gold helps are marked as delivered or missed, with the reason of the gold', () => {
	const help = {message_id: 'm_2', text: '说过的话', speaker: 'user', at: AT};
	const fates = [
		{arm: 'a', fate: 'delivered' as const},
		{arm: 'b', fate: 'in_pool' as const},
	];
	const gold = {needs_memory: true, reason: '要知道那杯茶', helps: [{...help, fates}]};
	const {html, markdown} = demoReport(report([target(both.exposures, {gold})]));
	expect(html).toContain('Gold: needs memory.');
	expect(html).toContain('要知道那杯茶');
	expect(html).toContain('✓ delivered');
	expect(html).toContain('✗ in the pool only');
	expect(html).toContain('<b>★ gold help</b>');
	expect(markdown).toContain('- m_2: a delivered; b in the pool only');
});

test('targets are sorted into different, alike and none', () => {
	expect(kindOf(both)).toBe('differ');
	expect(kindOf(target([exposure('a', true), exposure('b', true)]))).toBe('alike');
	expect(kindOf(target([exposure('a', false), exposure('b', false)]))).toBe('none');
});

test('gaps of the crop come back from the rendered card; a text that does not fit gives the quotes alone', () => {
	const [one, two] = [beat('one'), beat('two')];
	expect(withGaps('head\n  2026 「one」\n  ……\n  2026 「two」', [one, two])).toEqual([one, 'gap', two]);
	expect(withGaps('head only', [one, two])).toEqual([one, two]);
});

test('a funnel narrows from all messages to those delivered', () => {
	const exempt = exposure('a', false, {pool: 'not_judged', reason: 'exempt:emoji', n_candidates: 0, segments: []});
	const early = exposure('a', false, {pool: 'not_judged', reason: 'mid_filter_empty', n_candidates: 0, segments: []});
	const rows = [exposure('a', true), exposure('a', false), exempt, early].map(one => ({line: 'tea', ...one}));
	expect(funnels(['a'], rows)[0]?.steps.map(({n}) => n)).toEqual([4, 3, 2, 2, 1]);
	expect(poolCounts(rows)).toEqual([{sample: 'tea', arm: 'a', messages: 4, delivered: 1, rejected: 1, not_judged: 2}]);
});

test('reasons are words; one that is new stays readable', () => {
	expect(reasonWords('judge:没用', 3)).toBe('the judge found nothing of use');
	expect(reasonWords('mid_filter_empty', 0)).toBe('there was nothing to recall yet');
	expect(reasonWords('judge_invalid:no_segment', 3)).toBe('judge invalid:no segment');
});

test('hidden characters are spelled out, and joined emoji stay whole', () => {
	expect(visibleControls('a\r\nb\tc\u0007\u200b\u061c\u2066\ufeff 👩‍🔬')).toBe(
		'a\nb\tc\\u0007\\u200b\\u061c\\u2066\\ufeff 👩‍🔬',
	);
});

test('the summary is a line a step, then what the arms did', () => {
	const {counts} = report([both]);
	const text = demoSummary([{name: 'extract', seconds: 1.25, note: '3 cards'}], counts, []);
	expect(text).toMatch(/^ {2}extract {2}1\.3 s {2}3 cards\n/);
	expect(text).toContain('tea  a           1          1          0           0');
	for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(104);
});
