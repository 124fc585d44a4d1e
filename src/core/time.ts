import {DateTime, IANAZone} from 'luxon';
import {HindcastError} from '../errors.js';

/** A moment: whole microseconds since 1970-01-01T00:00:00Z. Safe in a double until the year 2255. */
export type Instant = number;

/** A calendar day of some zone, `YYYY-MM-DD`. */
export type Day = string;

const MICROS_PER_MS = 1000;
const ISO =
	/^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?|UTC)?)?$/i;

/** What `parseTime` made of a value: the instant, and whether a zone had to be assumed. */
export interface ParsedTime {
	readonly at: Instant;
	/** True when the value named no zone and `assumeZone` was used. */
	readonly zoneAssumed: boolean;
}

/**
 * Reads a time as exports write it: ISO with or without zone, epoch seconds or milliseconds, number or digits.
 * Numbers above 1e14 are microseconds, above 1e11 milliseconds, else seconds (fractions kept to the microsecond).
 * @param assumeZone IANA zone for values that name none
 * @returns null when the value is no time that can be read; never "now"
 */
export function parseTime(value: unknown, assumeZone: string): ParsedTime | null {
	if (typeof value === 'number') return fromEpoch(value);
	if (typeof value !== 'string') return null;
	const text = value.trim();
	if (/^\d{9,16}(\.\d+)?$/.test(text)) return fromEpoch(Number(text));
	const match = ISO.exec(text);
	if (!match) return null;
	const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone] = match;
	const micros = Number(fraction.padEnd(6, '0').slice(0, 6) || '0');
	const zoneName = zone === undefined ? assumeZone : offsetName(zone);
	const moment = DateTime.fromObject(
		{
			year: Number(year),
			month: Number(month),
			day: Number(day),
			hour: Number(hour),
			minute: Number(minute),
			second: Number(second),
		},
		{zone: zoneName},
	);
	if (!moment.isValid) return null;
	return {at: moment.toMillis() * MICROS_PER_MS + micros, zoneAssumed: zone === undefined};
}

function offsetName(zone: string): string {
	if (/^(Z|UTC)$/i.test(zone)) return 'UTC';
	const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
	return `UTC${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

function fromEpoch(value: number): ParsedTime | null {
	if (!Number.isFinite(value) || value <= 0) return null;
	const micros = value > 1e14 ? value : value > 1e11 ? value * 1e3 : value * 1e6;
	if (micros > Number.MAX_SAFE_INTEGER) return null;
	return {at: Math.round(micros), zoneAssumed: false};
}

/** ISO 8601 in UTC: whole seconds as `…:00Z`, else milliseconds or microseconds, whichever is exact. */
export function formatInstant(at: Instant): string {
	const ms = Math.floor(at / MICROS_PER_MS);
	const iso = new Date(ms).toISOString();
	const micros = at - Math.floor(at / 1e6) * 1e6;
	if (micros === 0) return `${iso.slice(0, 19)}Z`;
	if (micros % 1000 === 0) return iso;
	return `${iso.slice(0, 19)}.${String(micros).padStart(6, '0')}Z`;
}

/** Days and hours of one IANA zone. Offsets are looked up in the zone database that Node ships, never the machine's zone. */
export class Zone {
	readonly name: string;
	readonly #offsets = new Map<number, number>();
	/** Every card of a day asks for the same hour, at every target. */
	readonly #instants = new Map<string, Instant>();
	readonly #zone: IANAZone;

	/** @throws BAD_ZONE when the name is not an IANA zone */
	constructor(name: string) {
		this.#zone = IANAZone.create(name);
		if (!this.#zone.isValid) throw new HindcastError('BAD_ZONE', {message: `"${name}" is not a time zone.`});
		this.name = name;
	}

	/** The calendar day of the zone in which the instant lies. */
	dayOf(at: Instant): Day {
		return this.#local(at).slice(0, 10);
	}

	/** `YYYY-MM-DD HH:MM` on the zone's clock. */
	clockOf(at: Instant): string {
		return this.#local(at).slice(0, 16).replace('T', ' ');
	}

	/** The instant at which the zone's clock shows `HH:MM` on that day (the earlier one when it shows it twice). */
	at(day: Day, clock: string): Instant {
		const key = `${day}T${clock}`;
		const known = this.#instants.get(key);
		if (known !== undefined) return known;
		const at = this.#instantAt(key);
		this.#instants.set(key, at);
		return at;
	}

	#instantAt(local: string): Instant {
		const at = DateTime.fromISO(local, {zone: this.#zone}).toMillis() * MICROS_PER_MS;
		const hourEarlier = at - 3600 * 1e6;
		return this.clockOf(hourEarlier) === this.clockOf(at) ? hourEarlier : at;
	}

	/** The calendar day after. */
	nextDay(day: Day): Day {
		return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
	}

	#local(at: Instant): string {
		const ms = Math.floor(at / MICROS_PER_MS);
		// Offsets change at quarter hours at the finest, so one look-up serves a whole quarter.
		const quarter = Math.floor(ms / 900_000);
		let offset = this.#offsets.get(quarter);
		if (offset === undefined) {
			offset = this.#zone.offset(quarter * 900_000);
			this.#offsets.set(quarter, offset);
		}
		return new Date(ms + offset * 60_000).toISOString();
	}
}
