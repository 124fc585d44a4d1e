import {createHash} from 'node:crypto';
import {contentId} from '../../core/ids.js';
import {parseTime} from '../../core/time.js';
import {HindcastError} from '../../errors.js';
import {type Opened, openPaths} from '../../importers/files.js';
import {finishConversation, openingOf} from '../../importers/finish.js';
import type {ConversationDraft, ImportContext, Importer, ImportFile, QuestionDraft} from '../../importers/port.js';
import {importerOf, importers} from '../../importers/registry.js';
import {detect, formatUnknown, sampleOf} from '../../importers/sniff.js';
import {isStopped, type StagePorts} from '../../ports/ports.js';
import type {ImportStore, RunStore} from '../../ports/store.js';
import {MESSAGES_PER_COMMIT} from './constants.js';
import {conversationChanged, mergeConversation} from './merge.js';
import {saveQuestions} from './questions.js';
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
const PARTIAL_KINDS = new Set(['broken_json', 'archive_refused', 'encrypted']);

/**
 * Imports files, folders and archives. Writes in units of some hundred messages; with `strict` in one unit for all.
 * @throws PATH_MISSING, FORMAT_UNKNOWN, FORMAT_MISMATCH, IMPORT_EMPTY, IMPORT_STRICT, ARCHIVE_REFUSED, ENCRYPTED
 */
export async function importChats(config: ImportConfig, ports: ImportPorts): Promise<ImportReport> {
	if (config.format !== 'auto' && !importerOf(config.format)) {
		throw new HindcastError('FORMAT_UNKNOWN', {message: `There is no format "${config.format}".`});
	}
	if (!config.strict) return importAll(config, ports);
	return ports.store.unit(async () => {
		const report = await importAll(config, ports);
		const [first] = report.warning_list;
		if (!first) return report;
		throw new HindcastError('IMPORT_STRICT', {
			message: `${first.where}: ${first.kind} ${first.detail}`.trim(),
			details: {warnings: report.warnings},
		});
	});
}

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
	progress.start('import', null);
	try {
		for await (const opened of openPaths(config.paths, ports.stdin ? {stdin: ports.stdin} : {})) {
			if (isStopped(ports)) break;
			await importOpened(opened, {config, ports, tally, questions, runId});
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

function emptyError({paths}: ImportConfig, tally: Tally): HindcastError {
	const [first] = tally.warningList;
	const where = first ? ` ${first.where}: ${first.kind} ${first.detail}`.trimEnd() : '';
	const skipped = Object.entries(tally.skipped).map(([reason, n]) => `${reason} ${n}`);
	return new HindcastError('IMPORT_EMPTY', {
		message: `No conversation was found in ${paths.join(', ')}.${where}${skipped.length > 0 ? ` Skipped: ${skipped.join(', ')}.` : ''}`,
		details: {warnings: tally.warnings, skipped: tally.skipped},
	});
}

interface Run {
	readonly config: ImportConfig;
	readonly ports: ImportPorts;
	readonly tally: Tally;
	readonly questions: QuestionDraft[];
	readonly runId: string;
}

async function importOpened(opened: Opened, run: Run): Promise<void> {
	const {tally, config} = run;
	if (opened.type === 'skipped') return increment(tally.skipped, opened.reason);
	if (opened.type === 'refused') {
		// What the user named must be there and readable; a refused member leaves the rest of its archive.
		if (opened.path === opened.given) {
			throw new HindcastError(opened.code, {message: `${opened.path} was refused: ${opened.reason}.`});
		}
		return tally.warn(opened.code.toLowerCase(), opened.path, opened.reason);
	}
	const sample = await sampleOf(opened.file);
	const forced = config.format === 'auto' ? null : importerOf(config.format);
	const importer = forced ?? detect(sample, importers);
	if (forced && !forced.sniff(sample)) {
		const found = detect(sample, importers);
		throw new HindcastError('FORMAT_MISMATCH', {
			message: `${opened.path} is not ${forced.id} (${forced.looksFor})${found ? `; it looks like ${found.id}` : ''}.`,
		});
	}
	if (!importer) {
		if (opened.named) throw formatUnknown(opened.path, sample, importers);
		return increment(tally.skipped, 'not_a_chat');
	}
	try {
		await importFile(opened.file, importer, run);
	} catch (error) {
		// A member may turn out to be a bomb only while it is inflated; the rest of its archive is still good.
		if (!(error instanceof HindcastError) || error.code !== 'ARCHIVE_REFUSED' || opened.named) throw error;
		tally.warn('archive_refused', opened.path, error.message);
	}
}

async function importFile(file: ImportFile, importer: Importer, run: Run): Promise<void> {
	const {tally, ports, config, questions} = run;
	const sha = await hashOf(file);
	const source_id = contentId('s', importer.id, sha);
	const before = {conversations: tally.conversations, messages: tally.messages, users: tally.byRole.user ?? 0};
	const context = contextOf(tally, config.assumeZone);
	const openings = new Map<string, number>();
	const source = {source_id, path: file.path, sha256: sha, bytes: file.bytes, format: importer.id};
	let isKnown = false;
	let pending: ConversationDraft[] = [];
	let size = 0;
	const flush = async () => {
		const batch = pending;
		pending = [];
		size = 0;
		await ports.store.unit(async () => {
			// The source comes with its first conversations, so that they never name one that is not there.
			if (!isKnown) {
				const empty = {importer_version: importer.version, counts: {}, warnings: []};
				await ports.store.addSource({...source, ...empty}, run.runId, ports.clock.now());
			}
			isKnown = true;
			for (const draft of batch) await saveConversation(draft, {source_id, importer, openings, run});
		});
	};
	for await (const draft of importer.read(file, context)) {
		if (isStopped(ports)) break;
		if (draft.type === 'question') {
			questions.push(draft);
			continue;
		}
		pending.push(draft);
		size += draft.messages.length;
		if (size >= MESSAGES_PER_COMMIT) await flush();
	}
	await flush();
	const counts = {
		conversations: tally.conversations - before.conversations,
		messages: tally.messages - before.messages,
	};
	if (counts.messages > 0 && (tally.byRole.user ?? 0) === before.users) {
		tally.warn('no_user_messages', file.path, 'no message of role user was found');
	}
	tally.sources++;
	increment(tally.formats, importer.id);
	if (isStopped(ports)) return;
	const warnings = tally.warningList.filter(({where}) => where.startsWith(file.path));
	await ports.store.finishSource(source_id, counts, warnings);
}

function contextOf(tally: Tally, assumeZone: string): ImportContext {
	return {
		time(value, where) {
			if (value === null || value === undefined || value === '') return null;
			const parsed = parseTime(value, assumeZone);
			if (!parsed) tally.warn('bad_time', where, JSON.stringify(value).slice(0, 80));
			else if (parsed.zoneAssumed) tally.warn('zone_assumed', where, assumeZone);
			return parsed?.at ?? null;
		},
		warn: (kind, where, detail = '') => tally.warn(kind, where, detail),
		skip: reason => increment(tally.skipped, reason),
	};
}

async function hashOf(file: ImportFile): Promise<string> {
	const hash = createHash('sha256');
	for await (const chunk of file.open()) hash.update(chunk);
	return hash.digest('hex');
}

interface FileContext {
	readonly source_id: string;
	readonly importer: Importer;
	/** How often each opening was seen in this file, for conversations without an id of their own. */
	readonly openings: Map<string, number>;
	readonly run: Run;
}

async function saveConversation(
	draft: ConversationDraft,
	{source_id, importer, openings, run}: FileContext,
): Promise<void> {
	const {tally, ports, config} = run;
	const opening = openingOf(draft);
	const occurrence = opening === null ? 0 : (openings.get(opening) ?? 0);
	if (opening !== null) openings.set(opening, occurrence + 1);
	const fresh = finishConversation(draft, {format: importer.id, source_id, line: config.line, occurrence});
	for (const {kind, where, detail, count} of fresh.warnings) tally.warn(kind, where, detail, count);
	tally.conversations++;
	tally.countMessages(fresh.messages);
	ports.progress.advance();
	const stored = await ports.store.conversation(fresh.conversation.conversation_id);
	if (!stored) {
		tally.added += fresh.messages.length;
		return ports.store.addConversation(fresh.conversation, fresh.messages);
	}
	const merged = mergeConversation(stored, fresh);
	tally.added += merged.added;
	tally.updated += merged.updated;
	tally.unchanged += merged.unchanged;
	if (stored.conversation.line !== fresh.conversation.line) {
		tally.warn('line_kept', fresh.conversation.conversation_id, `it stays in line ${stored.conversation.line}`);
	}
	const moved = merged.messages.some((message, i) => stored.messages[i]?.message_id !== message.message_id);
	if (merged.added + merged.updated > 0 || moved || conversationChanged(stored.conversation, merged.conversation)) {
		await ports.store.replaceConversation(merged.conversation, merged.messages, merged.changed);
	}
}
