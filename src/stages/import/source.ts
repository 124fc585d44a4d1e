import {createHash} from 'node:crypto';
import {contentId} from '../../core/ids.js';
import {parseTime} from '../../core/time.js';
import type {ConversationDraft, ImportContext, Importer, ImportFile, QuestionDraft} from '../../importers/port.js';
import {isStopped} from '../../ports/ports.js';
import {MESSAGES_PER_COMMIT, MESSAGES_PER_FITTING} from './constants.js';
import {Identities} from './identities.js';
import type {ImportConfig, ImportPorts} from './import.js';
import {conversationChanged, mergeConversation} from './merge.js';
import {increment, type Tally} from './tally.js';

/** One run of `import`. */
export interface Run {
	readonly config: ImportConfig;
	readonly ports: ImportPorts;
	readonly tally: Tally;
	readonly questions: QuestionDraft[];
	readonly runId: string;
	/** What files are called, as parts of an export told. */
	readonly fileNames: Map<string, string>;
}

/** Reads one file with its importer and writes what it holds, some hundred messages a commit. */
export async function importSource(file: ImportFile, importer: Importer, run: Run): Promise<void> {
	const {tally, ports, questions} = run;
	const sha = await hashOf(file);
	const source_id = contentId('s', importer.id, sha);
	const ended = tally.begin(file.path, importer.id);
	const identities = new Identities({format: importer.id, source_id, line: run.config.line}, ports.store);
	const source = {source_id, path: file.path, sha256: sha, bytes: file.bytes, format: importer.id};
	let isKnown = false;
	let pending: ConversationDraft[] = [];
	let size = 0;
	const flush = async () => {
		const batch = pending;
		pending = [];
		size = 0;
		if (tally.isDue(MESSAGES_PER_FITTING)) await ports.store.makeRoom();
		await ports.store.unit(async () => {
			// The source comes with its first conversations, so that they never name one that is not there.
			if (!isKnown) {
				const empty = {importer_version: importer.version, counts: {}, warnings: []};
				await ports.store.addSource({...source, ...empty}, run.runId, ports.clock.now());
			}
			isKnown = true;
			for (const draft of batch) await saveConversation(draft, identities, run);
		});
	};
	for await (const draft of importer.read(file, contextOf(run))) {
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
	const {counts, warnings} = ended();
	if (!isStopped(ports)) await ports.store.finishSource(source_id, counts, warnings);
}

function contextOf({tally, config, fileNames}: Run): ImportContext {
	return {
		fileNames,
		time(value, where) {
			if (value === null || value === undefined || value === '') return null;
			const parsed = parseTime(value, config.assumeZone);
			if (!parsed) tally.warn('bad_time', where, JSON.stringify(value).slice(0, 80));
			else if (parsed.zoneAssumed) tally.warn('zone_assumed', where, config.assumeZone);
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

async function saveConversation(draft: ConversationDraft, identities: Identities, {tally, ports}: Run): Promise<void> {
	const {fresh, stored} = await identities.of(draft);
	for (const {kind, where, detail, count} of fresh.warnings) tally.warn(kind, where, detail, count);
	tally.countConversation(fresh.messages);
	ports.progress.advance();
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
