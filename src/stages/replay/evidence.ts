/** Share of the gold evidence that stands among the first k distinct source messages, averaged over questions. */
export interface EvidenceRecall {
	/** Questions with an answer and known evidence: the denominator comes from the gold, never from the result. */
	readonly questions: number;
	readonly recall_at_5: number | null;
	readonly recall_at_20: number | null;
	/** Anywhere in the pool. */
	readonly pool: number | null;
	/** Questions without an answer, and the share of them for which something was delivered. */
	readonly unanswerable: number;
	readonly unanswerable_delivered: number | null;
}

/** One question's gold and what the pipeline ranked. */
export interface RankedQuestion {
	readonly evidence: readonly string[];
	readonly answerable: boolean;
	/** Distinct source messages, best first. */
	readonly ranked: readonly string[];
	readonly delivered: boolean;
}

/** Averages over questions; null where there is nothing to average. */
export function evidenceRecall(questions: readonly RankedQuestion[]): EvidenceRecall {
	const gold = questions.filter(question => question.answerable && question.evidence.length > 0);
	const open = questions.filter(question => !question.answerable);
	const at = (k: number) => mean(gold.map(question => recallAt(question, k)));
	return {
		questions: gold.length,
		recall_at_5: at(5),
		recall_at_20: at(20),
		pool: at(Number.POSITIVE_INFINITY),
		unanswerable: open.length,
		unanswerable_delivered: mean(open.map(question => (question.delivered ? 1 : 0))),
	};
}

function recallAt({evidence, ranked}: RankedQuestion, k: number): number {
	const gold = new Set(evidence);
	return ranked.slice(0, k).filter(id => gold.has(id)).length / gold.size;
}

const mean = (values: readonly number[]): number | null =>
	values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
