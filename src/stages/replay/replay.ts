import type {Question} from '../../domain/conversation.js';
import {isStopped, type StagePorts} from '../../ports/ports.js';
import type {MemoryStore, MessageTarget, ReplayStore, RunStore} from '../../ports/store.js';
import {type LineMemory, loadLine} from '../recall/memory.js';
import {EXPOSURES_PER_COMMIT} from './constants.js';
import {type EvidenceRecall, evidenceRecall, type RankedQuestion} from './evidence.js';
import {type ExposureRow, exposureId, type FunnelSetup, passThrough, stateSha} from './funnel.js';
import {LineChat, messageTarget, questionTarget, type Target} from './target.js';

export interface ReplayConfig {
	readonly setup: FunnelSetup;
	/** The resolved arm, for the arms table. */
	readonly armConfig: unknown;
	readonly repeats: number;
	/** Messages and questions to aim at, grouped by line, in time order. */
	readonly targets: ReadonlyMap<string, readonly (MessageTarget | Question)[]>;
}

export interface ReplayPorts extends StagePorts {
	readonly store: ReplayStore & MemoryStore & RunStore;
}

export interface ReplayReport {
	readonly run_id: string;
	readonly arm: string;
	readonly arm_sha: string;
	readonly targets: number;
	readonly delivered: number;
	readonly rejected: number;
	readonly skipped: Readonly<Record<string, number>>;
	/** Made now, and found as they were. */
	readonly exposures: {readonly made: number; readonly reused: number};
	readonly latency_ms: Readonly<Record<string, {p50: number; p90: number; p99: number}>>;
	readonly evidence: EvidenceRecall | null;
	readonly by_category: Readonly<Record<string, EvidenceRecall>>;
	readonly interrupted: boolean;
}

const isMessage = (target: MessageTarget | Question): target is MessageTarget => 'message_id' in target;

/**
 * Sends every target through the funnel as of its cutoff, line by line and in time order, and keeps an exposure for
 * each. An exposure made before from the same memory and deliveries is kept as it is, so a stopped run goes on.
 */
export async function replay(config: ReplayConfig, ports: ReplayPorts): Promise<ReplayReport> {
	const {store, progress} = ports;
	const {setup} = config;
	await store.addArm({arm_sha: setup.armSha, name: setup.armName, config: config.armConfig});
	const total = [...config.targets.values()].reduce((sum, list) => sum + list.length, 0);
	const runId = await store.startRun({
		stage: 'replay',
		arm: setup.armName,
		params: {arm_sha: setup.armSha, targets: total, repeats: config.repeats},
		prompt_shas: {},
		models: {shortlist: setup.shortlister.id, judge: setup.judge.id, embedder: setup.embedder.fingerprint},
	});
	const tally = new Tally();
	progress.start(`replay ${setup.armName}`, total * config.repeats);
	for (const [line, targets] of config.targets) {
		if (isStopped(ports)) break;
		const memory = await loadLine(line, memoryConfig(setup), store);
		const chat = new LineChat(await store.lineMessages(line));
		for (let repeat = 0; repeat < config.repeats; repeat++) {
			await replayLine({targets, memory, chat, repeat, setup, ports, runId, tally});
		}
	}
	progress.stop();
	const interrupted = isStopped(ports);
	const counts = tally.report();
	await store.finishRun(runId, interrupted ? 'interrupted' : 'done', counts, null);
	return {run_id: runId, arm: setup.armName, arm_sha: setup.armSha, targets: total, ...counts, interrupted};
}

/** What of a line an arm needs loaded. */
export const memoryConfig = ({arm, cardSetId, embedder}: Pick<FunnelSetup, 'arm' | 'cardSetId' | 'embedder'>) => ({
	cardSetId,
	fingerprint: embedder.fingerprint,
	dim: embedder.dim,
	recipe: arm.text,
	includeDropped: arm.include_dropped,
	// The judge without a model weighs words by their rarity, so BM25's counts are needed where no route reads them.
	lexical: arm.routes.lexical !== null || arm.order === 'fusion' || arm.judge === 'baseline',
});

interface LineRun {
	readonly targets: readonly (MessageTarget | Question)[];
	readonly memory: LineMemory;
	readonly chat: LineChat;
	readonly repeat: number;
	readonly setup: FunnelSetup;
	readonly ports: ReplayPorts;
	readonly runId: string;
	readonly tally: Tally;
}

async function replayLine({targets, memory, chat, repeat, setup, ports, runId, tally}: LineRun): Promise<void> {
	const {store, progress} = ports;
	const known = await store.exposures(setup.armSha, repeat);
	const deliveredIn = new Map<string, Set<string>>();
	const perCommit = setup.judge.isLanguageModel || setup.shortlister.isLanguageModel ? 1 : EXPOSURES_PER_COMMIT;
	let unsaved: ExposureRow[] = [];
	const save = async () => {
		if (unsaved.length > 0) await store.saveExposures(unsaved, runId);
		unsaved = [];
	};
	for (const item of targets) {
		if (isStopped(ports)) break;
		const target = isMessage(item)
			? messageTarget(item, setup.arm, chat)
			: questionTarget(item, setup.arm, chat, setup.zone);
		const delivered = stateOf(target, deliveredIn);
		const before = known.get(exposureId(setup.armSha, target, repeat));
		if (before?.state_sha === stateSha(memory, delivered, target)) {
			tally.reuse(before, isMessage(item) ? null : item);
			for (const id of before.delivered_ids) delivered.add(id);
		} else {
			const row = await passThrough(target, memory, new Set(delivered), repeat, setup);
			unsaved.push(row);
			tally.make(row, isMessage(item) ? null : item);
			for (const id of row.delivered_ids) delivered.add(id);
			if (unsaved.length >= perCommit) await save();
		}
		progress.advance();
	}
	await save();
}

/** Cards that the target's chat window was given so far in this run. Questions stand each for itself. */
function stateOf(target: Target, deliveredIn: Map<string, Set<string>>): Set<string> {
	if (target.chat_window === null) return new Set();
	const known = deliveredIn.get(target.chat_window);
	if (known) return known;
	const fresh = new Set<string>();
	deliveredIn.set(target.chat_window, fresh);
	return fresh;
}

/** An exposure's outcome, as far as the report counts it. */
export interface Outcome {
	readonly pool: string;
	readonly reason: string;
	readonly ranked_sources: readonly string[] | null;
}

class Tally {
	#made = 0;
	#reused = 0;
	#delivered = 0;
	#rejected = 0;
	readonly #skipped: Record<string, number> = {};
	readonly #latencies: Record<string, number[]> = {};
	readonly #questions = new Map<string, RankedQuestion[]>();

	make(row: ExposureRow, question: Question | null): void {
		this.#made++;
		for (const [step, ms] of Object.entries({...row.timings, total_ms: row.latency_ms})) {
			const values = this.#latencies[step];
			if (values) values.push(ms);
			else this.#latencies[step] = [ms];
		}
		this.#count(row, question);
	}

	reuse(row: Outcome, question: Question | null): void {
		this.#reused++;
		this.#count(row, question);
	}

	#count({pool, reason, ranked_sources}: Outcome, question: Question | null): void {
		if (pool === 'delivered') this.#delivered++;
		else if (pool === 'rejected') this.#rejected++;
		else this.#skipped[reason] = (this.#skipped[reason] ?? 0) + 1;
		if (!question) return;
		const {evidence, answerable} = question;
		const ranked = {evidence, answerable, ranked: ranked_sources ?? [], delivered: pool === 'delivered'};
		const category = question.category ?? 'none';
		this.#questions.set(category, [...(this.#questions.get(category) ?? []), ranked]);
	}

	report() {
		const all = [...this.#questions.values()].flat();
		const categories = [...this.#questions].sort(([a], [b]) => (a < b ? -1 : 1));
		return {
			delivered: this.#delivered,
			rejected: this.#rejected,
			skipped: this.#skipped,
			exposures: {made: this.#made, reused: this.#reused},
			latency_ms: Object.fromEntries(
				Object.entries(this.#latencies).map(([step, values]) => [step, quantiles(values)]),
			),
			evidence: all.length > 0 ? evidenceRecall(all) : null,
			by_category: Object.fromEntries(categories.map(([category, list]) => [category, evidenceRecall(list)])),
		};
	}
}

function quantiles(values: readonly number[]): {p50: number; p90: number; p99: number} {
	const sorted = [...values].sort((a, b) => a - b);
	const at = (share: number) => Math.round((sorted[Math.ceil(share * sorted.length) - 1] ?? 0) * 1000) / 1000;
	return {p50: at(0.5), p90: at(0.9), p99: at(0.99)};
}
