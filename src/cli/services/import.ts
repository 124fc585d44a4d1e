import {formatInstant} from '../../core/time.js';
import {importChats} from '../../stages/import/import.js';
import type {ServiceResult} from '../result.js';
import {counted, type SessionFlags, table, withStore} from '../session.js';

export interface ImportFlags extends SessionFlags {
	readonly paths: readonly string[];
	readonly format: string;
	readonly as: string;
	readonly 'assume-tz': string;
	readonly strict: boolean;
}

/** Warnings shown with their place. */
const WARNINGS_SHOWN = 5;
/** Files shown with their counts, when there are several. */
const SOURCES_SHOWN = 60;

/** `hindcast import` */
export const runImport = (flags: ImportFlags): Promise<ServiceResult> =>
	withStore(flags, {create: true}, async (store, ports) => {
		const report = await importChats(
			{
				paths: flags.paths,
				format: flags.format,
				line: flags.as,
				assumeZone: flags['assume-tz'],
				strict: flags.strict,
			},
			{...ports, store},
		);
		const {partial, interrupted, time_range, warning_list, ...rest} = report;
		const range = time_range && {from: formatInstant(time_range.from), to: formatInstant(time_range.to)};
		return {
			json: {...rest, time_range: range, warning_list},
			text: [
				table([
					['sources', `${report.sources} (${counted(report.formats)})`],
					['conversations', report.conversations],
					['messages', `${report.messages} (${counted(report.by_role)})`],
					['added', report.added],
					['updated', report.updated],
					['unchanged', report.unchanged],
					['questions', counted(report.questions)],
					['skipped', counted(report.skipped)],
					['warnings', counted(report.warnings)],
					['time range', range ? `${range.from} to ${range.to}` : '-'],
				]),
				...(report.sources > 1 ? report.source_list.slice(0, SOURCES_SHOWN) : []).map(
					({path, format, conversations, messages, warnings}) =>
						`  ${path}: ${format}, ${conversations} conversations, ${messages} messages, ${warnings} warnings`,
				),
				...warning_list
					.slice(0, WARNINGS_SHOWN)
					.map(({kind, where, detail}) => `  ${kind}: ${where} ${detail}`.trimEnd()),
			].join('\n'),
			exit: interrupted ? 130 : partial ? 3 : 0,
		};
	});
