import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {formatInstant, Zone} from '../../src/core/time.js';
import type {Availability} from '../../src/domain/exposure.js';
import type {MemoryCard} from '../../src/ports/store.js';
import {leakOf} from '../../src/stages/check/check.js';
import {type Cutoff, endOf, isVisible, visibleFrom} from '../../src/stages/recall/as-of.js';
import {at, DAY, HOUR, MICROS, memoryCard, SEED} from './builders.js';

const ZONES = [
	'Asia/Shanghai',
	'UTC',
	'America/New_York',
	'Australia/Lord_Howe',
	'Asia/Kathmandu',
	'Europe/London',
	'America/St_Johns',
	'Africa/Casablanca',
	'America/Santiago',
];
const zone = fc.constantFrom(...ZONES).map(name => new Zone(name));
const START = at('2026-01-01T00:00:00Z');
const instant = fc.integer({min: 0, max: 365 * 24 * 3600}).map(seconds => START + seconds * MICROS);
const near = fc.integer({min: 0, max: 6 * 24}).map(hours => START + hours * HOUR);
const availability = fc.constantFrom('nightly', 'immediate') as fc.Arbitrary<Availability>;
const options = {seed: SEED, numRuns: 500};

/** The zone's wall clock by the platform's own formatter. */
function wallClock(name: string, instantMicros: number): string {
	const format = new Intl.DateTimeFormat('sv-SE', {timeZone: name, dateStyle: 'short', timeStyle: 'short'});
	return format.format(new Date(instantMicros / 1000));
}

describe('visibleFrom', () => {
	test("nightly is 06:00 by the zone's clock on the day after, through every change of the clock", () => {
		fc.assert(
			fc.property(zone, instant, (of, seen) => {
				const from = visibleFrom(seen, 'nightly', of);
				const [day = ''] = wallClock(of.name, seen).split(' ');
				const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
				expect(wallClock(of.name, from)).toBe(`${next} 06:00`);
				expect(from - seen).toBeGreaterThan(4 * HOUR);
				expect(from - seen).toBeLessThanOrEqual(32 * HOUR);
			}),
			options,
		);
	});

	test('nightly never lets a later moment be seen earlier', () => {
		fc.assert(
			fc.property(zone, instant, fc.nat({max: 100 * 24 * 3600}), (of, seen, later) => {
				expect(visibleFrom(seen + later * MICROS, 'nightly', of)).toBeGreaterThanOrEqual(
					visibleFrom(seen, 'nightly', of),
				);
			}),
			options,
		);
	});

	test('immediate is the next microsecond', () => {
		expect(visibleFrom(START, 'immediate', new Zone('Asia/Shanghai'))).toBe(START + 1);
	});

	test("the seed's 06:00 in Beijing is 22:00 UTC", () => {
		const beijing = new Zone('Asia/Shanghai');
		expect(formatInstant(visibleFrom(at('2026-01-10T13:00:00Z'), 'nightly', beijing))).toBe('2026-01-10T22:00:00Z');
		expect(formatInstant(visibleFrom(at('2026-01-10T16:00:00Z'), 'nightly', beijing))).toBe('2026-01-11T22:00:00Z');
	});
});

interface Drawn {
	readonly seen: number | null;
	readonly seq: number;
	readonly conversation: string | null;
	readonly replacedAt: number | null | undefined;
	readonly replacedSeq: number;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
	seen: fc.option(near, {freq: 6}),
	seq: fc.integer({min: 0, max: 9}),
	conversation: fc.constantFrom('v_1', 'v_2', null),
	replacedAt: fc.option(fc.option(near, {freq: 4}), {nil: undefined}),
	replacedSeq: fc.integer({min: 0, max: 9}),
});

const toCard = (item: Drawn, n: number): MemoryCard =>
	memoryCard(`c_${n}`, [`q${n}`], item.seen, {
		seen_until_seq: item.seq,
		conversation_id: item.conversation,
		replaced: item.replacedAt === undefined ? null : {seen_until: item.replacedAt, seen_until_seq: item.replacedSeq},
	});

const cutoff: fc.Arbitrary<Cutoff> = fc.oneof(
	near.map(when => ({basis: 'time' as const, at: when, conversation_id: 'v_9', seq: 5})),
	fc.integer({min: 0, max: 9}).map(seq => ({basis: 'order' as const, at: null, conversation_id: 'v_1', seq})),
);
const shanghai = new Zone('Asia/Shanghai');

describe('isVisible', () => {
	test('agrees with a plain reading of the rule', () => {
		fc.assert(
			fc.property(drawn, cutoff, availability, zone, (item, to, how, of) => {
				const wasThere = (seen: number | null, seq: number): boolean => {
					if (seen !== null && to.at !== null)
						return how === 'nightly' ? visibleFrom(seen, how, of) <= to.at : seen < to.at;
					return item.conversation === to.conversation_id && seq < (to.seq ?? -1);
				};
				const replaced = item.replacedAt !== undefined && wasThere(item.replacedAt, item.replacedSeq);
				expect(isVisible(toCard(item, 0), to, how, of)).toBe(wasThere(item.seen, item.seq) && !replaced);
			}),
			{seed: SEED, numRuns: 1000},
		);
	});

	test('a card that is replaced by something written at or after the cutoff is seen as it was', () => {
		fc.assert(
			fc.property(drawn, near, fc.nat({max: 100}), availability, (item, when, later, how) => {
				const to: Cutoff = {basis: 'time', at: when, conversation_id: 'v_1', seq: 5};
				const alone = {...toCard(item, 0), replaced: null};
				const replaced = {...alone, replaced: {seen_until: when + later * HOUR, seen_until_seq: null}};
				expect(isVisible(replaced, to, how, shanghai)).toBe(isVisible(alone, to, how, shanghai));
			}),
			options,
		);
	});

	test('a version and what replaces it are never both seen, and one of them is once the first was', () => {
		fc.assert(
			fc.property(near, near, near, availability, (seen, more, when, how) => {
				const batch = Math.max(seen, more);
				const to: Cutoff = {basis: 'time', at: when, conversation_id: null, seq: null};
				const old = memoryCard('c_old', ['q'], seen, {replaced: {seen_until: batch, seen_until_seq: null}});
				const fresh = memoryCard('c_new', ['q'], batch);
				const [sawOld, sawNew] = [isVisible(old, to, how, shanghai), isVisible(fresh, to, how, shanghai)];
				expect(sawOld && sawNew).toBe(false);
				expect(sawOld || sawNew).toBe(visibleFrom(seen, how, shanghai) <= when);
			}),
			options,
		);
	});

	test('at the end everything is seen but what was replaced', () => {
		fc.assert(
			fc.property(drawn, availability, (item, how) => {
				expect(isVisible(toCard(item, 0), endOf(null), how, shanghai)).toBe(item.replacedAt === undefined);
			}),
			options,
		);
	});

	test('a message without time sees nothing of other conversations', () => {
		const to: Cutoff = {basis: 'order', at: null, conversation_id: 'v_1', seq: 100};
		for (const conversation_id of ['v_2', null]) {
			expect(isVisible(memoryCard('c', ['q'], null, {conversation_id}), to, 'immediate', shanghai)).toBe(false);
			expect(isVisible(memoryCard('c', ['q'], START, {conversation_id}), to, 'immediate', shanghai)).toBe(false);
		}
	});
});

test('what can be seen is never a leak, and what a leak check passes by time was said before the cutoff', () => {
	fc.assert(
		fc.property(drawn, cutoff, availability, zone, (item, to, how, of) => {
			const card = toCard(item, 0);
			const leak = leakOf(
				{
					exposure_id: 'x_1',
					card_id: card.card_id,
					cutoff: to.at,
					cutoff_seq: to.seq,
					cutoff_basis: to.basis,
					availability: how,
					target_conversation: to.conversation_id,
					seen_until: card.seen_until,
					seen_until_seq: card.seen_until_seq,
					card_conversation: card.conversation_id,
					last_said: card.seen_until,
					last_seq: null,
				},
				of,
			);
			if (isVisible(card, to, how, of)) expect(leak).toBeNull();
			if (leak === null && card.seen_until !== null && to.at !== null) expect(card.seen_until).toBeLessThan(to.at);
		}),
		{seed: SEED, numRuns: 1000},
	);
});

test('a day has 86 400 seconds of its own in most zones, and nextDay follows the calendar', () => {
	fc.assert(
		fc.property(zone, instant, (of, when) => {
			const day = of.dayOf(when);
			expect(of.nextDay(day) > day).toBe(true);
			expect([of.dayOf(when + DAY), of.dayOf(when + DAY + HOUR), of.dayOf(when + DAY - HOUR)]).toContain(
				of.nextDay(day),
			);
			expect(of.clockOf(when)).toBe(wallClock(of.name, when));
		}),
		options,
	);
});
