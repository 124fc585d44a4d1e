import {describe, expect, test} from 'vitest';
import {formatInstant, parseTime, Zone} from '../../../src/core/time.js';

const at = (iso: string) => Date.parse(iso) * 1000;

describe('parseTime', () => {
	test.each([
		['2026-01-10T13:00:00Z', at('2026-01-10T13:00:00Z')],
		['2026-01-10t13:00:00z', at('2026-01-10T13:00:00Z')],
		['2026-01-10 13:00 UTC', at('2026-01-10T13:00:00Z')],
		['2026-01-10T13:00:00,25Z', at('2026-01-10T13:00:00.250Z')],
		['2026-01-10T13:00:00.123456789Z', at('2026-01-10T13:00:00.123Z') + 456],
		['2026-01-10T13:00:00+08', at('2026-01-10T05:00:00Z')],
		['2026-01-10T13:00:00-0330', at('2026-01-10T16:30:00Z')],
		['  2026-01-10T13:00:00+05:45 ', at('2026-01-10T07:15:00Z')],
		['2024-02-29T00:00:00Z', at('2024-02-29T00:00:00Z')],
		[1_768_050_000, at('2026-01-10T13:00:00Z')],
		['1768050000', at('2026-01-10T13:00:00Z')],
		['1768050000.5', at('2026-01-10T13:00:00.500Z')],
		[1_768_050_000_123, at('2026-01-10T13:00:00.123Z')],
		[1_768_050_000_123_456, at('2026-01-10T13:00:00.123Z') + 456],
	])('reads %j, which names its zone', (value, expected) => {
		expect(parseTime(value, 'America/New_York')).toEqual({at: expected, zoneAssumed: false});
	});

	test.each([
		['2026-01-10T13:00:00', 'Asia/Shanghai', at('2026-01-10T05:00:00Z')],
		['2026-01-10 13:00', 'America/New_York', at('2026-01-10T18:00:00Z')],
		['2026-07-10 13:00', 'America/New_York', at('2026-07-10T17:00:00Z')],
		['2026-01-10', 'Asia/Shanghai', at('2026-01-09T16:00:00Z')],
	])('reads %s with the zone %s, and says that it was assumed', (value, zone, expected) => {
		expect(parseTime(value, zone)).toEqual({at: expected, zoneAssumed: true});
	});

	test.each([
		'',
		'yesterday',
		'2026-13-01',
		'2026-02-30',
		'2026-01-10T25:00:00Z',
		'10/01/2026',
		'2026-1-1',
		'T13:00',
		null,
		undefined,
		0,
		-1,
		Number.NaN,
		Number.POSITIVE_INFINITY,
		1e300,
		true,
		{},
		[],
		new Date(0),
		'20260110',
		'12345678901234567890',
	])('makes nothing of %j, never now', value => {
		expect(parseTime(value, 'UTC')).toBeNull();
	});
});

test('an instant is written with as many digits as it needs', () => {
	const whole = at('2026-01-10T13:00:00Z');
	expect([whole, whole + 5000, whole + 5, whole + 999_999].map(formatInstant)).toEqual([
		'2026-01-10T13:00:00Z',
		'2026-01-10T13:00:00.005Z',
		'2026-01-10T13:00:00.000005Z',
		'2026-01-10T13:00:00.999999Z',
	]);
});

describe('Zone', () => {
	test('refuses a name that is no zone', () => {
		expect(() => new Zone('Mars/Olympus')).toThrow(expect.objectContaining({code: 'BAD_ZONE'}));
	});

	test.each([
		['Asia/Shanghai', '2026-01-10T15:59:59.999Z', '2026-01-10', '2026-01-10 23:59'],
		['Asia/Shanghai', '2026-01-10T16:00:00Z', '2026-01-11', '2026-01-11 00:00'],
		['America/New_York', '2026-03-08T06:59:59Z', '2026-03-08', '2026-03-08 01:59'],
		['America/New_York', '2026-03-08T07:00:00Z', '2026-03-08', '2026-03-08 03:00'],
		['America/New_York', '2026-11-01T05:30:00Z', '2026-11-01', '2026-11-01 01:30'],
		['America/New_York', '2026-11-01T06:30:00Z', '2026-11-01', '2026-11-01 01:30'],
		['Asia/Kathmandu', '2026-01-10T18:15:00Z', '2026-01-11', '2026-01-11 00:00'],
		['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29', '2011-12-29 23:59'],
		['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31', '2011-12-31 00:00'],
	])('%s knows the day and the clock at %s', (name, iso, day, clock) => {
		const zone = new Zone(name);
		expect([zone.dayOf(at(iso)), zone.clockOf(at(iso))]).toEqual([day, clock]);
	});

	test('finds the instant of a clock before and after a change of the clock', () => {
		const zone = new Zone('America/New_York');
		expect(
			['2026-03-07', '2026-03-08', '2026-11-01', '2026-11-02'].map(day => formatInstant(zone.at(day, '06:00'))),
		).toEqual(['2026-03-07T11:00:00Z', '2026-03-08T10:00:00Z', '2026-11-01T11:00:00Z', '2026-11-02T11:00:00Z']);
	});

	test('a day that the zone left out ends in the day after it', () => {
		const zone = new Zone('Pacific/Apia');
		expect(zone.clockOf(zone.at('2011-12-30', '06:00'))).toBe('2011-12-31 06:00');
	});

	test('the day after follows the calendar', () => {
		const zone = new Zone('UTC');
		expect(['2024-02-28', '2024-02-29', '2026-12-31'].map(day => zone.nextDay(day))).toEqual([
			'2024-02-29',
			'2024-03-01',
			'2027-01-01',
		]);
	});
});
