import {HindcastError} from '../../errors.js';
import {rulesExtractor} from '../../models/baseline/rules.js';
import {verbatimExtractor} from '../../models/baseline/verbatim.js';
import {extract} from '../../stages/extract/extract.js';
import type {ServiceResult} from '../result.js';
import {counted, type SessionFlags, table, withStore} from '../session.js';

export interface ExtractFlags extends SessionFlags {
	readonly extractor: string;
	readonly 'assistant-beats': string;
	readonly day?: string | undefined;
	readonly since?: string | undefined;
	readonly until?: string | undefined;
	readonly 'retry-failed': boolean;
}

const EXTRACTORS = {verbatim: verbatimExtractor, rules: rulesExtractor};

/** `hindcast extract` */
export const runExtract = (flags: ExtractFlags): Promise<ServiceResult> =>
	withStore(flags, {}, async (store, ports) => {
		const extractor = EXTRACTORS[flags.extractor as keyof typeof EXTRACTORS];
		if (!extractor)
			throw new HindcastError('EXTRACTOR_UNKNOWN', {message: `There is no extractor "${flags.extractor}".`});
		const report = await extract(
			{
				assistantBeats: flags['assistant-beats'] === 'all' ? 'all' : 'one',
				day: flags.day === 'yesterday' ? yesterday(store.zone, ports.clock.now()) : (flags.day ?? null),
				since: flags.since ?? null,
				until: flags.until ?? null,
				retryFailed: flags['retry-failed'],
			},
			{...ports, store, extractor, zone: store.zone},
		);
		const {windows, events, cards, beats, warnings, interrupted} = report;
		return {
			json: {...report},
			text: table([
				['windows', counted(windows)],
				['events', events],
				['cards', cards],
				['beats', counted(beats)],
				['warnings', counted(warnings)],
			]),
			exit: interrupted ? 130 : windows.failed + windows.pending > 0 ? 3 : 0,
		};
	});

/** The seed's nightly run handles the day of the memory zone that has just ended. */
function yesterday(zone: {dayOf(at: number): string}, now: number): string {
	return zone.dayOf(now - 86_400 * 1e6);
}
