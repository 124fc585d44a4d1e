import {expect, test} from 'vitest';
import {type GoldExposure, type GoldLine, goldRows, helpFate, resolveGold} from '../../../src/report/gold.js';

const CARDS: Readonly<Record<string, readonly string[]>> = {c1: ['m1', 'm2'], c2: ['m3'], c3: ['m4']};
const sourcesOf = (card: string) => new Set(CARDS[card]);

const exposure = (target_id: string, given: Partial<GoldExposure> = {}): GoldExposure => ({
	arm: 'a',
	target_id,
	candidate_ids: [],
	shortlist: [],
	delivered: new Set(),
	isDelivered: false,
	...given,
});

const line = (target: string, helps: readonly string[]): GoldLine => ({
	target,
	helps,
	reason: '',
	needs_memory: helps.length > 0,
});

test('a help is known by the furthest step that it reached', () => {
	const seen = exposure('t', {candidate_ids: ['c1', 'c2'], shortlist: ['c1'], delivered: new Set(['m1'])});
	const fates = ['m1', 'm2', 'm3', 'm4'].map(help => helpFate(help, seen, sourcesOf));
	expect(fates).toEqual(['delivered', 'shortlisted', 'in_pool', 'not_found']);
});

test('counts targets by their best help, and the mean share of helps in the pool', () => {
	const gold = [line('t1', ['m1', 'm4']), line('t2', ['m3']), line('t3', ['m4']), line('t4', []), line('t5', [])];
	const exposures = [
		exposure('t1', {candidate_ids: ['c1'], shortlist: ['c1'], delivered: new Set(['m1']), isDelivered: true}),
		exposure('t2', {candidate_ids: ['c2']}),
		exposure('t3', {candidate_ids: ['c1'], shortlist: ['c1'], delivered: new Set(['m2']), isDelivered: true}),
		exposure('t4', {isDelivered: true, delivered: new Set(['m2'])}),
		exposure('t5'),
	];
	expect(goldRows('s', ['a'], gold, exposures, sourcesOf)).toEqual([
		{
			sample: 's',
			arm: 'a',
			needed: {targets: 3, in_pool: 2, pool_share: 0.5, shortlisted: 1, delivered_help: 1, delivered_any: 2},
			not_needed: {targets: 2, silent: 1},
		},
	]);
});

test('a message that gold does not judge counts nowhere, and an arm without any has empty counts', () => {
	const [one, other] = goldRows(
		's',
		['a', 'b'],
		[line('t1', ['m1'])],
		[exposure('unjudged'), exposure('t1')],
		sourcesOf,
	);
	expect(one?.needed.targets).toBe(1);
	expect(one?.not_needed.targets).toBe(0);
	expect(other?.needed).toEqual({
		targets: 0,
		in_pool: 0,
		pool_share: null,
		shortlisted: 0,
		delivered_help: 0,
		delivered_any: 0,
	});
});

test('ids of the export become ids of the file, and unknown ones are counted', () => {
	const ids = new Map([
		['n1', 'm1'],
		['n2', 'm2'],
	]);
	const {lines, unknown} = resolveGold([line('n1', ['n2', 'nowhere']), line('gone', [])], id => ids.get(id));
	expect(lines).toEqual([{...line('m1', ['m2']), target: 'm1'}]);
	expect(unknown).toBe(2);
});
