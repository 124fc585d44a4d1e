import {contentId} from '../../core/ids.js';
import type {Aggregator} from '../../models/tasks.js';
import {isStopped, type StagePorts} from '../../ports/ports.js';
import type {AggregateStore, BatchResult, CardSet, RunStore} from '../../ports/store.js';
import {acceptAnswer, findViolations, type Violation} from './check-answer.js';
import {ATTEMPTS_MAX} from './constants.js';
import {type PlannedBatch, planBatches} from './plan.js';

export interface AggregatePorts extends StagePorts {
	readonly store: AggregateStore & RunStore;
	readonly aggregator: Aggregator;
}

export interface AggregateReport {
	readonly run_id: string;
	readonly card_set_id: string;
	readonly batches: {readonly accepted: number; readonly rejected: number; readonly pending: number};
	readonly cards: {readonly kept: number; readonly dropped: number};
	readonly violations: Readonly<Record<string, number>>;
	readonly warnings: Readonly<Record<string, number>>;
	readonly superseded: number;
	readonly interrupted: boolean;
}

/** The card set that an aggregator writes from an extracted set. */
export function aggregateCardSet(aggregator: Aggregator, parentSetId: string): CardSet {
	return {
		card_set_id: contentId('k', 'aggregate', aggregator.id, {}, aggregator.promptSha, parentSetId),
		kind: 'aggregate',
		maker: aggregator.id,
		params: {},
		prompt_sha: aggregator.promptSha,
		parent_set_id: parentSetId,
	};
}

class Tally {
	accepted = 0;
	rejected = 0;
	pending = 0;
	kept = 0;
	dropped = 0;
	superseded = 0;
	readonly violations: Record<string, number> = {};
	readonly warnings: Record<string, number> = {};

	add(result: BatchResult): void {
		if (result.status === 'accepted') this.accepted++;
		else this.rejected++;
		for (const card of result.cards) card.disposition === 'keep' ? this.kept++ : this.dropped++;
		for (const {kind} of result.violations) this.violations[kind] = (this.violations[kind] ?? 0) + 1;
		for (const {kind} of result.warnings) this.warnings[kind] = (this.warnings[kind] ?? 0) + 1;
	}
}

/**
 * The second review: joins fragments of one event and marks keep or drop, batch by batch. An answer that breaks a
 * rule is refused whole and recorded; its cards stay as they were.
 * @param parentSetId the extracted set to read
 */
export async function aggregate(parentSetId: string, ports: AggregatePorts): Promise<AggregateReport> {
	const {store, aggregator, progress} = ports;
	const set = aggregateCardSet(aggregator, parentSetId);
	await store.addCardSet(set);
	const runId = await store.startRun({
		stage: 'aggregate',
		arm: null,
		params: {parent_set_id: parentSetId, card_set_id: set.card_set_id},
		prompt_shas: aggregator.promptSha ? {aggregate: aggregator.promptSha} : {},
		models: {aggregate: aggregator.id},
	});
	const tally = new Tally();
	const known = new Map((await store.batches(set.card_set_id)).map(batch => [batch.batch_id, batch]));
	const planned = new Set<string>();
	progress.start('aggregate', null);
	for await (const {line, day, cards} of store.dayCards(parentSetId)) {
		if (isStopped(ports)) break;
		for (const batch of planBatches(line, day, cards, set.card_set_id)) {
			planned.add(batch.batch_id);
			const before = known.get(batch.batch_id);
			if (before?.status === 'accepted') continue;
			await reviewBatch(batch, before?.attempts ?? 0, {set, runId, ports, tally});
			progress.advance();
		}
	}
	progress.stop();
	const interrupted = isStopped(ports);
	if (!interrupted) {
		const stale = [...known.keys()].filter(id => !planned.has(id));
		if (stale.length > 0) await store.supersedeBatches(stale);
		tally.superseded = stale.length;
	}
	const counts = countsOf(tally);
	await store.finishRun(runId, interrupted ? 'interrupted' : tally.pending > 0 ? 'partial' : 'done', counts, null);
	return {run_id: runId, card_set_id: set.card_set_id, ...counts, interrupted};
}

const countsOf = ({accepted, rejected, pending, kept, dropped, violations, warnings, superseded}: Tally) => ({
	batches: {accepted, rejected, pending},
	cards: {kept, dropped},
	violations,
	warnings,
	superseded,
});

interface Context {
	readonly set: CardSet;
	readonly runId: string;
	readonly ports: AggregatePorts;
	readonly tally: Tally;
}

/** Up to two attempts, the second with the violations of the first shown; then the batch stays pending. */
async function reviewBatch(batch: PlannedBatch, attempted: number, {set, runId, ports, tally}: Context): Promise<void> {
	let violations: readonly Violation[] = [];
	for (let attempt = attempted; attempt < attempted + ATTEMPTS_MAX; attempt++) {
		const result = await attemptBatch(batch, attempt, violations, set.card_set_id, ports.aggregator);
		await ports.store.saveBatch(result, runId);
		tally.add(result);
		if (result.status === 'accepted') return;
		violations = result.violations as readonly Violation[];
	}
	tally.pending++;
}

/** One attempt: ask, check, and accept or refuse the whole. */
export async function attemptBatch(
	batch: PlannedBatch,
	attempt: number,
	shown: readonly Violation[],
	cardSetId: string,
	aggregator: Aggregator,
): Promise<BatchResult> {
	const base = {
		batch_id: batch.batch_id,
		attempt,
		card_set_id: cardSetId,
		line: batch.line,
		day: batch.day,
		ordinal: batch.ordinal,
		input_card_ids: batch.cards.map(card => card.card_id),
		seen_until: batch.seen_until,
		seen_until_seq: batch.seen_until_seq,
	};
	const refused = (violations: readonly {kind: string; detail: string}[], raw: string | null): BatchResult => ({
		...base,
		status: 'rejected',
		violations,
		raw_answer: raw,
		cards: [],
		log: [],
		warnings: [],
	});
	const answer = await aggregator.aggregate(batch, shown);
	if (!answer.ok) return refused([{kind: 'unreadable', detail: answer.error}], answer.raw);
	const violations = findViolations(batch, answer.value);
	if (violations.length > 0) return refused(violations, JSON.stringify(answer.value));
	return {
		...base,
		status: 'accepted',
		violations: [],
		raw_answer: null,
		...acceptAnswer(batch, answer.value, cardSetId),
	};
}
