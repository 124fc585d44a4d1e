import {contentId} from '../../core/ids.js';
import {parseTime} from '../../core/time.js';
import {absorbEqual, type Beat, beatKey, type CardWarning, type CardWithBeats} from '../../domain/card.js';
import type {AggregateAnswer, AggregateBeat} from '../../models/tasks.js';
import {PROTECTED_TAGS} from './constants.js';
import type {PlannedBatch} from './plan.js';

export interface Violation {
	readonly kind:
		| 'added'
		| 'lost'
		| 'duplicated'
		| 'changed_words'
		| 'changed_time'
		| 'changed_note'
		| 'unknown_message'
		| 'unknown_card'
		| 'card_not_consumed'
		| 'card_consumed_twice'
		| 'no_source_card'
		| 'wrong_card';
	readonly detail: string;
}

type WireCard = AggregateAnswer['cards'][number];

/** A beat of the answer, paired with the input beat that it repeats. */
interface Pairing {
	readonly pairs: ReadonlyMap<AggregateBeat, Beat>;
	readonly violations: readonly Violation[];
}

/**
 * Every input beat must come out once, word for word, with its time and note, dropped cards included, and every input
 * card be consumed once (seed 1, 二审: 「不得修改任何 quote 正文」「不得新增拍」「不得丢掉拍」). By key and as a multiset.
 * @returns what was wrong; empty when the batch may be accepted
 */
export function findViolations(batch: PlannedBatch, answer: AggregateAnswer): Violation[] {
	return [...cardViolations(batch, answer), ...pairBeats(batch, answer).violations];
}

function cardViolations(batch: PlannedBatch, answer: AggregateAnswer): Violation[] {
	const violations: Violation[] = [];
	const consumed = new Map<string, number>();
	for (const card of answer.cards) {
		if (card.source_card_ids.length === 0) violations.push({kind: 'no_source_card', detail: card.title});
		for (const id of card.source_card_ids) consumed.set(id, (consumed.get(id) ?? 0) + 1);
	}
	const inputIds = new Set(batch.cards.map(card => card.card_id));
	for (const [id, times] of consumed) {
		if (!inputIds.has(id)) violations.push({kind: 'unknown_card', detail: id});
		else if (times > 1) violations.push({kind: 'card_consumed_twice', detail: id});
	}
	for (const id of inputIds) if (!consumed.has(id)) violations.push({kind: 'card_not_consumed', detail: id});
	return violations;
}

/**
 * Pairs answer beats with input beats. Equal in key, time and note first; what is left over is told apart: same key
 * but another time or note, same source but other words, more or fewer than went in.
 */
function pairBeats(batch: PlannedBatch, answer: AggregateAnswer): Pairing {
	const messageOf = new Map([...batch.shortIds].map(([id, short]) => [short, id]));
	const open = new Set(batch.cards.flatMap(card => card.beats));
	const pairs = new Map<AggregateBeat, Beat>();
	const violations: Violation[] = [];
	const rest: AggregateBeat[] = [];
	const byExact = indexBy(open, beat => exactKey(beat));
	for (const card of answer.cards) {
		const sources = new Set(card.source_card_ids);
		for (const wire of card.beats) {
			const equal = byExact.get(exactWireKey(wire, messageOf))?.filter(beat => open.has(beat)) ?? [];
			const match = equal.find(beat => sources.has(beat.card_id)) ?? equal[0];
			if (!match) {
				rest.push(wire);
				continue;
			}
			if (!sources.has(match.card_id)) violations.push({kind: 'wrong_card', detail: describe(match, batch)});
			pairs.set(wire, match);
			open.delete(match);
		}
	}
	for (const wire of rest) violations.push(explain(wire, messageOf, open, batch));
	for (const beat of open) violations.push({kind: 'lost', detail: describe(beat, batch)});
	return {pairs, violations};
}

const exactKey = (beat: Beat): string => JSON.stringify([beatKey(beat), beat.observed_at, beat.context_note]);

function exactWireKey(wire: AggregateBeat, messageOf: ReadonlyMap<string, string>): string {
	const key = beatKey({message_id: sourceOf(wire, messageOf), quote: wire.quote});
	return JSON.stringify([key, wireTime(wire), wire.context_note]);
}

/** The program writes `?` for a beat whose source was never known. */
const sourceOf = (wire: AggregateBeat, messageOf: ReadonlyMap<string, string>): string | null => {
	const id = messageOf.get(wire.source_message_id);
	return id === undefined || id === '?' ? null : id;
};

/** A time that cannot be read equals no time, not even a missing one. */
const wireTime = (wire: AggregateBeat): number | 'unreadable' | null =>
	wire.observed_at === null ? null : (parseTime(wire.observed_at, 'UTC')?.at ?? 'unreadable');

/** Names what is wrong with a beat that has no equal in the input, and takes the input beat that it stands for. */
function explain(
	wire: AggregateBeat,
	messageOf: ReadonlyMap<string, string>,
	open: Set<Beat>,
	batch: PlannedBatch,
): Violation {
	const detail = `${wire.source_message_id}: ${wire.quote}`;
	if (!messageOf.has(wire.source_message_id)) return {kind: 'unknown_message', detail};
	const messageId = sourceOf(wire, messageOf);
	const take = (match: (beat: Beat) => boolean): boolean => {
		const found = [...open].find(beat => beat.message_id === messageId && match(beat));
		if (found) open.delete(found);
		return found !== undefined;
	};
	const time = wireTime(wire);
	if (take(beat => beat.quote === wire.quote && beat.observed_at === time)) return {kind: 'changed_note', detail};
	if (take(beat => beat.quote === wire.quote)) return {kind: 'changed_time', detail: `${detail} (${wire.observed_at})`};
	const wentIn = batch.cards.some(card =>
		card.beats.some(beat => beat.message_id === messageId && beat.quote === wire.quote),
	);
	if (wentIn) return {kind: 'duplicated', detail};
	if (take(beat => isSimilar(beat.quote, wire.quote))) return {kind: 'changed_words', detail};
	return {kind: 'added', detail};
}

/** Whether one is a rewording of the other: they share most of their characters. Only the violation's name depends on it. */
function isSimilar(a: string, b: string): boolean {
	const [x, y] = [new Set(a), new Set(b)];
	const shared = [...x].filter(character => y.has(character)).length;
	return shared / Math.max(1, Math.min(x.size, y.size)) >= 0.6;
}

const describe = (beat: Beat, batch: PlannedBatch): string =>
	`${batch.shortIds.get(beat.message_id ?? '?') ?? beat.message_id}: ${beat.quote}`;

function indexBy<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
	const index = new Map<string, T[]>();
	for (const item of items) {
		const group = index.get(keyOf(item));
		if (group) group.push(item);
		else index.set(keyOf(item), [item]);
	}
	return index;
}

export interface AcceptedBatch {
	readonly cards: readonly CardWithBeats[];
	readonly log: readonly {source_card_ids: readonly string[]; result_card_id: string; reason: string}[];
	readonly warnings: readonly CardWarning[];
}

/**
 * Turns an answer without violations into cards: beats keep the spans and marks of the input, identical beats of one
 * card are absorbed into the first living one, and a drop of a protected card is set back to keep with a warning.
 */
export function acceptAnswer(batch: PlannedBatch, answer: AggregateAnswer, cardSetId: string): AcceptedBatch {
	const {pairs} = pairBeats(batch, answer);
	const inputs = new Map(batch.cards.map(card => [card.card_id, card]));
	const warnings: CardWarning[] = [];
	const resultIds = new Map<string, string>();
	const cards = answer.cards.map((wire, ordinal) => {
		const sources = wire.beats.map(beat => pairs.get(beat)!);
		const cardId = contentId(
			'c',
			cardSetId,
			batch.batch_id,
			ordinal,
			sources.map(beat => [beat.message_id, beat.quote]),
		);
		resultIds.set(wire.card_id, cardId);
		const isProtected =
			wire.disposition === 'drop' && tagsWithSources(wire, inputs).some(tag => PROTECTED_TAGS.test(tag));
		if (isProtected) warnings.push(protectedDrop(batch, cardSetId, cardId, wire));
		return toCard({wire, ordinal, cardId, cardSetId, batch, sources, inputs, keep: isProtected});
	});
	const isKnown = (entry: AggregateAnswer['aggregate_log'][number]) =>
		entry.source_card_ids.every(id => inputs.has(id));
	for (const entry of answer.aggregate_log.filter(entry => !isKnown(entry))) {
		warnings.push(unknownInLog(batch, cardSetId, entry.source_card_ids));
	}
	const log = answer.aggregate_log.filter(isKnown).map(entry => ({
		source_card_ids: entry.source_card_ids,
		result_card_id: resultIds.get(entry.result_card_id) ?? entry.result_card_id,
		reason: entry.reason,
	}));
	return {cards, log, warnings};
}

function unknownInLog(batch: PlannedBatch, cardSetId: string, ids: readonly string[]): CardWarning {
	return {
		warning_id: contentId('n', batch.batch_id, 'log_unknown_card', ids),
		card_set_id: cardSetId,
		window_id: null,
		batch_id: batch.batch_id,
		card_id: null,
		kind: 'log_unknown_card',
		detail: ids.join(', '),
	};
}

/** The answer's tags and those of the cards it was made from: a new tag does not take protection away. */
const tagsWithSources = (wire: WireCard, inputs: ReadonlyMap<string, CardWithBeats>): string[] => [
	...wire.tags,
	...wire.source_card_ids.flatMap(id => inputs.get(id)?.tags ?? []),
];

function protectedDrop(batch: PlannedBatch, cardSetId: string, cardId: string, wire: WireCard): CardWarning {
	return {
		warning_id: contentId('n', batch.batch_id, cardId, 'protected_drop'),
		card_set_id: cardSetId,
		window_id: null,
		batch_id: batch.batch_id,
		card_id: cardId,
		kind: 'protected_drop',
		detail: `${wire.title}: ${wire.drop_reason ?? ''}`,
	};
}

function toCard({
	wire,
	ordinal,
	cardId,
	cardSetId,
	batch,
	sources,
	inputs,
	keep,
}: {
	wire: WireCard;
	ordinal: number;
	cardId: string;
	cardSetId: string;
	batch: PlannedBatch;
	sources: readonly Beat[];
	inputs: ReadonlyMap<string, CardWithBeats>;
	keep: boolean;
}): CardWithBeats {
	const joined = wire.source_card_ids.map(id => inputs.get(id)!);
	const conversations = new Set(joined.map(card => card.conversation_id));
	return {
		card_id: cardId,
		card_set_id: cardSetId,
		window_id: null,
		batch_id: batch.batch_id,
		line: batch.line,
		conversation_id: conversations.size === 1 ? [...conversations][0]! : null,
		day: batch.day,
		ordinal,
		title: wire.title,
		tags: wire.tags,
		relay_quote: joined.some(card => card.relay_quote),
		source_card_ids: wire.source_card_ids,
		disposition: keep ? 'keep' : wire.disposition,
		drop_ruler: wire.drop_ruler,
		drop_reason: wire.drop_reason,
		seen_until: batch.seen_until,
		seen_until_seq: batch.seen_until_seq,
		beats: absorbEqual(sources.map((beat, n) => rebind(beat, cardId, n))),
	};
}

/** The same beat in another card: its id names the card, and its place tells equal ones apart. */
const rebind = (beat: Beat, cardId: string, ordinal: number): Beat => ({
	...beat,
	beat_id: contentId('b', cardId, ordinal, beat.message_id, beat.quote, beat.char_start, beat.char_end),
	card_id: cardId,
	ordinal,
	absorbed_by: null,
});
