import {contentId} from '../../core/ids.js';
import type {Zone} from '../../core/time.js';
import type {CardWarning, CardWithBeats, Window} from '../../domain/card.js';
import type {ExtractOptions, Extractor} from '../../models/tasks.js';
import {isStopped, type StagePorts} from '../../ports/ports.js';
import type {CardSet, ConversationText, ExtractStore, RunStore, WindowResult} from '../../ports/store.js';
import {checkAnswer, countBeats} from './check-answer.js';
import {WINDOWS_PER_COMMIT} from './constants.js';
import {planWindows} from './windows.js';

export interface ExtractConfig extends ExtractOptions {
	/** Only this day of the memory zone; null for all. */
	readonly day: string | null;
	/** Days from and to (inclusive); null for no bound. */
	readonly since: string | null;
	readonly until: string | null;
	/** Handle windows again whose answer could not be read. */
	readonly retryFailed: boolean;
}

export interface ExtractPorts extends StagePorts {
	readonly store: ExtractStore & RunStore;
	readonly extractor: Extractor;
	readonly zone: Zone;
}

export interface ExtractReport {
	readonly run_id: string;
	readonly card_set_id: string;
	readonly windows: {readonly done: number; readonly failed: number; readonly pending: number};
	readonly events: number;
	readonly cards: number;
	readonly beats: {
		readonly exact: number;
		readonly whitespace: number;
		readonly none: number;
		readonly filtered: number;
	};
	readonly warnings: Readonly<Record<string, number>>;
	readonly superseded: number;
	readonly interrupted: boolean;
}

/** The card set that an extractor with these options writes. */
export function extractCardSet(extractor: Extractor, options: ExtractOptions): CardSet {
	const params = {assistant_beats: options.assistantBeats};
	return {
		card_set_id: contentId('k', 'extract', extractor.id, params, extractor.promptSha, null),
		kind: 'extract',
		maker: extractor.id,
		params,
		prompt_sha: extractor.promptSha,
		parent_set_id: null,
	};
}

/** Running totals of what this run did. */
class Tally {
	done = 0;
	failed = 0;
	pending = 0;
	events = 0;
	cards = 0;
	superseded = 0;
	readonly beats = {exact: 0, whitespace: 0, none: 0, filtered: 0};
	readonly warnings: Record<string, number> = {};

	add(result: WindowResult): void {
		if (result.status === 'failed') this.failed++;
		else this.done++;
		this.events += result.events.length;
		this.addCards(result.cards, result.warnings);
	}

	addCards(cards: readonly CardWithBeats[], warnings: readonly CardWarning[]): void {
		this.cards += cards.length;
		const beats = countBeats(cards);
		for (const kind of Object.keys(this.beats) as (keyof typeof beats)[]) this.beats[kind] += beats[kind];
		for (const {kind} of warnings) this.warnings[kind] = (this.warnings[kind] ?? 0) + 1;
	}
}

/**
 * Makes cards of every window that has none yet: plans the windows of each conversation, asks the extractor, checks
 * its answer, and commits window by window. Windows whose messages a newer import has changed are superseded.
 */
export async function extract(config: ExtractConfig, ports: ExtractPorts): Promise<ExtractReport> {
	const {store, extractor, progress} = ports;
	const set = extractCardSet(extractor, config);
	await store.addCardSet(set);
	const runId = await store.startRun({
		stage: 'extract',
		arm: null,
		params: {...config, card_set_id: set.card_set_id},
		prompt_shas: extractor.promptSha ? {extract: extractor.promptSha} : {},
		models: {extract: extractor.id},
	});
	const tally = new Tally();
	progress.start('extract', null);
	for await (const text of store.conversations()) {
		if (isStopped(ports)) break;
		await extractConversation(text, {set, runId, config, ports, tally});
	}
	progress.stop();
	const interrupted = isStopped(ports);
	const {done, failed, pending, events, cards, beats, warnings, superseded} = tally;
	const counts = {windows: {done, failed, pending}, events, cards, beats, warnings, superseded};
	const status = interrupted ? 'interrupted' : failed + pending > 0 ? 'partial' : 'done';
	await store.finishRun(runId, status, counts, null);
	return {run_id: runId, card_set_id: set.card_set_id, ...counts, interrupted};
}

interface Context {
	readonly set: CardSet;
	readonly runId: string;
	readonly config: ExtractConfig;
	readonly ports: ExtractPorts;
	readonly tally: Tally;
}

async function extractConversation(text: ConversationText, context: Context): Promise<void> {
	const {set, config, ports, tally, runId} = context;
	const {store} = ports;
	const inScope = (day: string) => isInScope(day, config);
	const planned = planWindows(text, ports.zone, set.card_set_id).filter(window => inScope(window.day));
	const known = (await store.windows(set.card_set_id, text.conversation.conversation_id)).filter(({day}) =>
		inScope(day),
	);
	const plannedIds = new Set(planned.map(window => window.window_id));
	const stale = known.filter(window => !plannedIds.has(window.window_id)).map(window => window.window_id);
	if (stale.length > 0) await store.supersedeWindows(stale);
	tally.superseded += stale.length;
	const statuses = new Map(known.map(window => [window.window_id, window.status]));
	const perCommit = ports.extractor.isLanguageModel ? 1 : WINDOWS_PER_COMMIT;
	let unsaved: WindowResult[] = [];
	const save = async () => {
		if (unsaved.length > 0) await store.saveWindows(unsaved, runId);
		for (const result of unsaved) tally.add(result);
		ports.progress.advance(unsaved.length);
		unsaved = [];
	};
	for (const window of planned) {
		const status = statuses.get(window.window_id);
		if (status === 'done') continue;
		if (status === 'failed' && !config.retryFailed) {
			tally.pending++;
			continue;
		}
		if (isStopped(ports)) break;
		unsaved.push(await extractWindow(window, set.card_set_id, config, ports.extractor));
		if (unsaved.length >= perCommit) await save();
	}
	await save();
}

function isInScope(day: string, {day: only, since, until}: ExtractConfig): boolean {
	if (only !== null) return day === only;
	if (day === 'none') return since === null && until === null;
	return (since === null || day >= since) && (until === null || day <= until);
}

/** One window: ask, then check. An answer that cannot be read leaves the window failed, with the raw answer. */
export async function extractWindow(
	window: Window,
	cardSetId: string,
	options: ExtractOptions,
	extractor: Extractor,
): Promise<WindowResult> {
	const answer = await extractor.extract(window, options);
	if (!answer.ok) {
		return {
			window,
			card_set_id: cardSetId,
			status: 'failed',
			error: answer.error,
			raw_answer: answer.raw,
			events: [],
			cards: [],
			warnings: [],
		};
	}
	return {
		window,
		card_set_id: cardSetId,
		status: 'done',
		error: null,
		raw_answer: null,
		...checkAnswer(window, answer.value, cardSetId, options),
	};
}
