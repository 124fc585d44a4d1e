import {HindcastError} from '../../errors.js';
import {type Opened, openPaths} from '../../importers/files.js';
import type {Importer, ImportFile, QuestionDraft} from '../../importers/port.js';
import {printable, printableJson} from '../../importers/printable.js';
import {importerOf, importers} from '../../importers/registry.js';
import {detect, formatUnknown, foundIn, sampleOf} from '../../importers/sniff.js';
import {isStopped, type StagePorts} from '../../ports/ports.js';
import type {ImportStore, RunStore} from '../../ports/store.js';
import {checkNamed} from './preflight.js';
import {saveQuestions} from './questions.js';
import {importSource, type Run} from './source.js';
import {type ImportReport, increment, Tally} from './tally.js';

export interface ImportConfig {
	readonly paths: readonly string[];
	/** Format id, or `auto` to let the content decide. */
	readonly format: string;
	/** Line of memory for formats that fix none. */
	readonly line: string;
	/** IANA zone of times that name none. */
	readonly assumeZone: string;
	/** Any warning is an error, and nothing is written. */
	readonly strict: boolean;
}

export interface ImportPorts extends StagePorts {
	readonly store: ImportStore & RunStore;
	/** What `-` reads; the default is the process's standard input. */
	readonly stdin?: AsyncIterable<Uint8Array>;
}

/** Warnings that mean that records are missing from the import. */
const PARTIAL_KINDS = new Set(['broken_json', 'archive_refused', 'encrypted', 'path_missing']);

/**
 * Imports files, folders and archives. Writes in units of some hundred messages; with `strict` in one unit for all.
 * @throws PATH_MISSING, FORMAT_UNKNOWN, FORMAT_MISMATCH, IMPORT_EMPTY, IMPORT_STRICT, ARCHIVE_REFUSED, ENCRYPTED
 */
export async function importChats(config: ImportConfig, ports: ImportPorts): Promise<ImportReport> {
	try {
		if (config.format !== 'auto' && !importerOf(config.format)) {
			throw new HindcastError('FORMAT_UNKNOWN', {message: `There is no format "${config.format}".`});
		}
		await checkNamed(config.paths, async file => (await recognise(file, config)).error);
		return await (config.strict ? importStrictly(config, ports) : importAll(config, ports));
	} catch (error) {
		throw error instanceof HindcastError ? asPrintable(error) : error;
	}
}

/** Names of files and texts in them come into messages; whatever they hold, a terminal must not obey it. */
function asPrintable({code, message, hint, details}: HindcastError): HindcastError {
	const shown = printableJson(details) as Record<string, unknown> | undefined;
	return new HindcastError(code, {message: printable(message, MESSAGE_MAX), hint, ...(shown ? {details: shown} : {})});
}

/** Characters of an error's message. */
const MESSAGE_MAX = 4000;

const importStrictly = (config: ImportConfig, ports: ImportPorts): Promise<ImportReport> =>
	ports.store.unit(async () => {
		const report = await importAll(config, ports);
		const [first] = report.warning_list;
		if (!first) return report;
		throw new HindcastError('IMPORT_STRICT', {
			message: `${first.where}: ${first.kind} ${first.detail}`.trim(),
			details: {warnings: report.warnings},
		});
	});

async function importAll(config: ImportConfig, ports: ImportPorts): Promise<ImportReport> {
	const {store, progress} = ports;
	const runId = await store.startRun({
		stage: 'import',
		arm: null,
		params: {...config},
		prompt_shas: {},
		models: {},
	});
	const tally = new Tally();
	const questions: QuestionDraft[] = [];
	const run = {config, ports, tally, questions, runId, fileNames: new Map<string, string>()};
	progress.start('import', null);
	try {
		for await (const opened of openPaths(config.paths, ports.stdin ? {stdin: ports.stdin} : {})) {
			if (isStopped(ports)) break;
			await importOpened(opened, run);
		}
		const asked = await saveQuestions(questions, store, tally);
		if (tally.conversations === 0 && questions.length === 0 && !isStopped(ports)) throw emptyError(config, tally);
		return await finish(runId, tally, asked, ports);
	} catch (error) {
		const message = error instanceof HindcastError ? `${error.code}: ${error.message}` : String(error);
		await store.finishRun(runId, 'failed', {}, message).catch(() => {});
		throw error;
	} finally {
		progress.stop();
	}
}

async function finish(
	runId: string,
	tally: Tally,
	questions: ImportReport['questions'],
	ports: ImportPorts,
): Promise<ImportReport> {
	const partial = Object.keys(tally.warnings).some(kind => PARTIAL_KINDS.has(kind));
	const interrupted = isStopped(ports);
	const {sources, formats, conversations, messages, byRole, added, updated, unchanged, skipped, warnings} = tally;
	const counts = {
		sources,
		source_list: tally.sourceList,
		formats,
		conversations,
		messages,
		by_role: byRole,
		added,
		updated,
		unchanged,
		questions,
		skipped,
		warnings,
		warning_list: tally.warningList,
		time_range: tally.from <= tally.to ? {from: tally.from, to: tally.to} : null,
	};
	await ports.store.finishRun(runId, interrupted ? 'interrupted' : partial ? 'partial' : 'done', counts, null);
	return {run_id: runId, ...counts, partial, interrupted};
}

/** The error for an import that found nothing. What stood in the way is its code where it is one thing alone. */
function emptyError({paths, format}: ImportConfig, tally: Tally): HindcastError {
	const [first] = tally.warningList;
	const where = first ? ` ${first.where}: ${first.kind} ${first.detail}`.trimEnd() : '';
	const skipped = Object.entries(tally.skipped).map(([reason, n]) => `${reason} ${n}`);
	const list = skipped.length > 0 ? ` Skipped: ${skipped.join(', ')}.` : '';
	const message = `No conversation was found in ${paths.join(', ')}.${where}${list}`;
	const details = {warnings: tally.warnings, skipped: tally.skipped};
	if (tally.skipped.encrypted) return new HindcastError('ENCRYPTED', {message, details});
	if (tally.mismatch !== null) {
		return new HindcastError('FORMAT_MISMATCH', {message: `${tally.mismatch} Nothing in it is ${format}.`, details});
	}
	return new HindcastError('IMPORT_EMPTY', {message, details});
}

async function importOpened(opened: Opened, run: Run): Promise<void> {
	const {tally, config} = run;
	if (opened.type === 'skipped') return increment(tally.skipped, opened.reason);
	if (opened.type === 'refused') {
		// What the user named must be there and readable; a refused member leaves the rest of its archive.
		if (opened.path === opened.given) throw refusalOf(opened);
		increment(tally.skipped, opened.code.toLowerCase());
		return tally.warn(opened.code.toLowerCase(), opened.path, opened.reason);
	}
	const {importer, error} = await recognise(opened.file, config);
	if (!importer) {
		if (opened.named) throw error;
		if (error.code === 'FORMAT_MISMATCH') tally.mismatch ??= error.message;
		return increment(tally.skipped, error.code === 'FORMAT_MISMATCH' ? 'other_format' : 'not_a_chat');
	}
	try {
		await importSource(opened.file, importer, run);
	} catch (error) {
		// A member may turn out to be a bomb only while it is inflated; the rest of its archive is still good.
		if (!(error instanceof HindcastError) || error.code !== 'ARCHIVE_REFUSED' || opened.named) throw error;
		tally.warn('archive_refused', opened.path, error.message);
	}
}

const refusalOf = ({code, path, reason}: Extract<Opened, {type: 'refused'}>): HindcastError =>
	new HindcastError(code, {message: `${path} was refused: ${reason}.`});

type Recognised =
	| {readonly importer: Importer; readonly error?: never}
	| {readonly importer: null; readonly error: HindcastError};

/** The importer of a file, by its content; or the error that says why there is none. */
async function recognise(file: ImportFile, {format}: ImportConfig): Promise<Recognised> {
	const sample = await sampleOf(file);
	const found = detect(sample, importers);
	const forced = importerOf(format);
	if (forced?.sniff(sample)) return {importer: forced};
	if (forced) {
		const seen = found ? `it looks like ${found.id}` : `found: ${foundIn(sample)}`;
		const message = `${file.path} is not ${forced.id} (${forced.looksFor}); ${seen}.`;
		return {importer: null, error: new HindcastError('FORMAT_MISMATCH', {message})};
	}
	return found ? {importer: found} : {importer: null, error: formatUnknown(file.path, sample, importers)};
}
