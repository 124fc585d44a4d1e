import {contentId} from '../../core/ids.js';
import type {Question} from '../../domain/conversation.js';
import type {QuestionDraft} from '../../importers/port.js';
import type {ImportStore} from '../../ports/store.js';
import type {ImportReport, Tally} from './tally.js';

/** Questions come last, when every message that they may name as evidence is there. */
export async function saveQuestions(
	drafts: readonly QuestionDraft[],
	store: ImportStore,
	tally: Tally,
): Promise<ImportReport['questions']> {
	const idsByLine = new Map<string, ReadonlyMap<string, string>>();
	const questions = new Map<string, Question>();
	for (const draft of drafts) {
		let ids = idsByLine.get(draft.line);
		if (!ids) {
			ids = await store.messageIdsByNativeId(draft.line);
			idsByLine.set(draft.line, ids);
		}
		const question = toQuestion(draft, ids, tally);
		questions.set(question.question_id, question);
	}
	return store.addQuestions([...questions.values()]);
}

function toQuestion(draft: QuestionDraft, ids: ReadonlyMap<string, string>, tally: Tally): Question {
	const {type: _, native_id, evidence_native_ids, ...rest} = draft;
	const identity =
		native_id === null ? [draft.text, draft.category, [...evidence_native_ids].sort(), draft.asked_at] : [native_id];
	const unknown = evidence_native_ids.filter(id => !ids.has(id));
	for (const id of unknown) tally.warn('evidence_unknown', `${draft.line} ${draft.text.slice(0, 60)}`, id);
	return {
		...rest,
		question_id: contentId('q', draft.line, ...identity),
		evidence: [...new Set(evidence_native_ids.flatMap(id => ids.get(id) ?? []))],
	};
}
