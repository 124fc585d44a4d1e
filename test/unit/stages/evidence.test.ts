import {expect, test} from 'vitest';
import {evidenceRecall} from '../../../src/stages/replay/evidence.js';

test('evidence recall divides by the gold, over questions that have an answer and known evidence', () => {
	const ranked = Array.from({length: 30}, (_, n) => `m_${n}`);
	const question = (evidence: readonly string[], answerable = true, delivered = false) => ({
		evidence,
		answerable,
		ranked,
		delivered,
	});
	const result = evidenceRecall([
		question(['m_0', 'm_0', 'm_10', 'gone']),
		question(['m_25']),
		question([]),
		question(['m_0'], false, true),
		question([], false),
	]);
	expect(result).toEqual({
		questions: 2,
		recall_at_5: 1 / 6,
		recall_at_20: 1 / 3,
		pool: (2 / 3 + 1) / 2,
		unanswerable: 2,
		unanswerable_delivered: 0.5,
	});
	expect(evidenceRecall([])).toEqual({
		questions: 0,
		recall_at_5: null,
		recall_at_20: null,
		pool: null,
		unanswerable: 0,
		unanswerable_delivered: null,
	});
});
