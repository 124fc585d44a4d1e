import fc from 'fast-check';
import {expect, test} from 'vitest';
import {formatInstant, parseTime} from '../../src/core/time.js';
import {SEED} from './builders.js';

/** Any microsecond from 2001 to 2200. */
const instant = fc
	.integer({min: 1_000_000_000, max: 7_258_118_400})
	.chain(seconds => fc.integer({min: 0, max: 999_999}).map(micros => seconds * 1e6 + micros));
const options = {seed: SEED, numRuns: 1000};
const read = (value: unknown, zone = 'UTC') => parseTime(value, zone)?.at ?? null;
const pad = (n: number) => String(n).padStart(2, '0');

test('an instant that is written is read back to the microsecond', () => {
	fc.assert(
		fc.property(instant, when => {
			const text = formatInstant(when);
			expect(parseTime(text, 'America/New_York')).toEqual({at: when, zoneAssumed: false});
			expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?Z$/);
		}),
		options,
	);
});

test('the text of a later instant of the same precision sorts later', () => {
	fc.assert(
		fc.property(instant, instant, (a, b) => {
			const [x, y] = [formatInstant(a - (a % 1e6)), formatInstant(b - (b % 1e6))];
			expect(x < y).toBe(Math.floor(a / 1e6) < Math.floor(b / 1e6));
		}),
		options,
	);
});

test('any offset names the same instant', () => {
	fc.assert(
		fc.property(instant, fc.integer({min: -14 * 4, max: 14 * 4}), (when, quarters) => {
			const minutes = quarters * 15;
			const local = formatInstant(when + minutes * 60e6).replace('Z', '');
			const [sign, size] = [minutes < 0 ? '-' : '+', Math.abs(minutes)];
			const offset = `${sign}${pad(Math.floor(size / 60))}`;
			for (const zone of [
				`${offset}:${pad(size % 60)}`,
				`${offset}${pad(size % 60)}`,
				...(size % 60 === 0 ? [offset] : []),
			]) {
				expect(read(local + zone)).toBe(when);
				expect(read(local.replace('T', ' ') + zone)).toBe(when);
			}
		}),
		options,
	);
});

test('epoch seconds, milliseconds and microseconds are told apart by their size, as numbers and as digits', () => {
	fc.assert(
		fc.property(instant, when => {
			const seconds = Math.floor(when / 1e6);
			const millis = Math.floor(when / 1e3);
			for (const [value, expected] of [
				[seconds, seconds * 1e6],
				[millis, millis * 1e3],
				[when, when],
			] as const) {
				expect(read(value)).toBe(expected);
				expect(read(String(value))).toBe(expected);
			}
			// A float of seconds is exact to the microsecond, or to the last bit of a double.
			expect(Math.abs(read(when / 1e6)! - when)).toBeLessThanOrEqual(1);
		}),
		options,
	);
});

test('no text makes it throw, and what is read is a safe whole number', () => {
	fc.assert(
		fc.property(
			fc.oneof(fc.string(), fc.string({unit: fc.constantFrom(...'0123456789-:T.+Z ')}), fc.double(), fc.anything()),
			value => {
				const parsed = parseTime(value, 'Asia/Shanghai');
				if (parsed) expect(Number.isSafeInteger(parsed.at)).toBe(true);
			},
		),
		options,
	);
});
