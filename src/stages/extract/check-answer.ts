import {contentId} from '../../core/ids.js';
import {parseTime} from '../../core/time.js';
import {
	absorbEqual,
	type Beat,
	type CardWarning,
	type CardWithBeats,
	type Event,
	type FilterReason,
	isDeliverable,
	type Window,
	type WindowPart,
} from '../../domain/card.js';
import {shortId} from '../../domain/window-text.js';
import type {ExtractAnswer, ExtractOptions} from '../../models/tasks.js';
import {codePointLength} from '../../text/code-points.js';
import type {Span} from '../../text/pieces.js';
import {findQuote, type Verification} from '../../text/quotes.js';
import {
	ASSISTANT_BEAT_CHARS_MAX,
	ASSISTANT_BEATS_PER_CARD_MAX,
	BEATS_PER_CARD_MAX,
	CARDS_PER_WINDOW_MAX,
} from './constants.js';

export interface CheckedWindow {
	readonly events: readonly Event[];
	readonly cards: readonly CardWithBeats[];
	readonly warnings: readonly CardWarning[];
}

type WireCard = ExtractAnswer['cards'][number];
type WireBeat = WireCard['beats'][number];
type Warn = (kind: string, detail: string) => void;

/**
 * The program's checks of an extractor's answer (spec: cards, Extract). Nothing is thrown away: what fails a check is
 * kept with its mark and a warning, and is never delivered.
 * @param answer as the extractor gave it, already of the right shape
 */
export function checkAnswer(
	window: Window,
	answer: ExtractAnswer,
	cardSetId: string,
	options: ExtractOptions,
): CheckedWindow {
	const parts = new Map(window.parts.map((part, index) => [shortId(index), part]));
	const noted = new Notes(cardSetId, window.window_id);
	const cards = answer.cards.map((card, ordinal) =>
		checkCard({card, ordinal, window, parts, cardSetId, options, noted}),
	);
	if (cards.length > CARDS_PER_WINDOW_MAX) noted.warn(null, 'cards_over_limit', `${cards.length} cards`);
	const events = answer.events.map((event, ordinal) => toEvent({event, ordinal, window, parts, cardSetId, noted}));
	return {events, cards, warnings: noted.all()};
}

/** Collects warnings of a window; two alike are told apart by their number. */
class Notes {
	readonly #found: Omit<CardWarning, 'warning_id'>[] = [];
	constructor(
		readonly cardSetId: string,
		readonly windowId: string,
	) {}

	warn(cardId: string | null, kind: string, detail: string): void {
		this.#found.push({
			card_set_id: this.cardSetId,
			window_id: this.windowId,
			batch_id: null,
			card_id: cardId,
			kind,
			detail,
		});
	}

	all(): CardWarning[] {
		return this.#found.map((note, n) => ({
			...note,
			warning_id: contentId('n', this.windowId, n, note.kind, note.detail),
		}));
	}
}

interface CardContext {
	readonly card: WireCard;
	readonly ordinal: number;
	readonly window: Window;
	readonly parts: ReadonlyMap<string, WindowPart>;
	readonly cardSetId: string;
	readonly options: ExtractOptions;
	readonly noted: Notes;
}

function checkCard({card, ordinal, window, parts, cardSetId, options, noted}: CardContext): CardWithBeats {
	const keys = card.beats.map(beat => [parts.get(beat.source_message_id)?.message_id ?? null, beat.quote]);
	const cardId = contentId('c', cardSetId, window.window_id, ordinal, keys);
	const warn: Warn = (kind, detail) => noted.warn(cardId, kind, detail);
	if (card.title.trim() === '') warn('empty_title', '');
	if (card.beats.length === 0) warn('no_beats', card.title);
	if (card.beats.length > BEATS_PER_CARD_MAX) warn('beats_over_limit', `${card.beats.length} beats`);
	const found = card.beats.map((beat, n) => locateBeat(beat, n, {cardId, parts, kind: window.kind, warn}));
	const beats = absorbEqual(capAssistant(withSpans(found, parts), {kind: window.kind, options, warn}));
	for (const {absorbed_by, quote} of beats) if (absorbed_by !== null) warn('duplicate_beat', quote);
	if (beats.length > 0 && !beats.some(isDeliverable)) warn('no_verified_beats', card.title);
	return {
		card_id: cardId,
		card_set_id: cardSetId,
		window_id: window.window_id,
		batch_id: null,
		line: window.line,
		conversation_id: window.conversation_id,
		day: window.day,
		ordinal,
		title: card.title,
		tags: card.tags,
		relay_quote: card.relay_quote,
		source_card_ids: [],
		disposition: 'keep',
		drop_ruler: null,
		drop_reason: null,
		seen_until: window.seen_until,
		seen_until_seq: window.seen_until_seq,
		beats,
	};
}

/** A beat with its source looked up, before its span is fixed. */
interface Located {
	readonly beat: Omit<Beat, 'beat_id' | 'char_start' | 'char_end' | 'verification'>;
	readonly part: WindowPart | null;
	readonly warn: Warn;
}

function locateBeat(
	wire: WireBeat,
	ordinal: number,
	{cardId, parts, kind, warn}: {cardId: string; parts: CardContext['parts']; kind: Window['kind']; warn: Warn},
): Located {
	const part = parts.get(wire.source_message_id) ?? null;
	if (!part) warn('unknown_source', `${wire.source_message_id}: ${wire.quote}`);
	const claimed = wire.observed_at === null ? null : (parseTime(wire.observed_at, 'UTC')?.at ?? null);
	if (part && wire.observed_at !== null && claimed !== part.created_at) {
		warn('observed_at_differs', `${wire.source_message_id}: ${wire.observed_at}`);
	}
	return {
		part,
		warn,
		beat: {
			card_id: cardId,
			ordinal,
			message_id: part?.message_id ?? null,
			quote: wire.quote,
			role: part?.role ?? null,
			// The speaker is the message's, never the model's claim: a role in a chat with a model, a name among people.
			speaker: part === null ? null : kind === 'people' || part.role !== 'user' ? (part.speaker ?? part.role) : 'user',
			observed_at: part?.created_at ?? null,
			context_note: wire.context_note,
			absorbed_by: null,
			filtered_reason: part ? null : 'unknown_source',
		},
	};
}

/** Fixes spans in order, each the first occurrence that no other beat of the card uses. */
function withSpans(located: readonly Located[], parts: CardContext['parts']): (Beat & {warn: Warn})[] {
	const used = new Map<string, Span[]>();
	return located.map(({beat, part, warn}) => {
		const found = part ? findInMessage(part, beat.quote, used, parts) : null;
		if (part && !found) warn('quote_not_found', `${beat.quote}`);
		const quote = found?.source ?? beat.quote;
		const span = found ? [found.span.start, found.span.end] : null;
		return {
			...beat,
			warn,
			quote,
			beat_id: contentId('b', beat.card_id, beat.ordinal, beat.message_id, quote, span),
			char_start: found?.span.start ?? null,
			char_end: found?.span.end ?? null,
			verification: found?.verification ?? 'none',
		};
	});
}

function findInMessage(
	part: WindowPart,
	quote: string,
	used: Map<string, Span[]>,
	parts: CardContext['parts'],
): {span: Span; verification: Verification; source: string} | null {
	const taken = used.get(part.message_id) ?? [];
	// The named part first; a long message may be shown as several parts, and the quote may stand in another one.
	const siblings = [...parts.values()].filter(other => other.message_id === part.message_id && other !== part);
	for (const shown of [part, ...siblings]) {
		const local = taken.map(span => ({start: span.start - shown.start, end: span.end - shown.start}));
		const {span, verification} = findQuote(shown.text, quote, local);
		if (!span) continue;
		const absolute = {start: span.start + shown.start, end: span.end + shown.start};
		used.set(part.message_id, [...taken, absolute]);
		const source = Array.from(shown.text).slice(span.start, span.end).join('');
		return {span: absolute, verification, source};
	}
	return null;
}

function capAssistant(
	beats: readonly (Beat & {warn: Warn})[],
	{kind, options, warn}: {kind: Window['kind']; options: ExtractOptions; warn: Warn},
): Beat[] {
	const capped = kind === 'assistant' && options.assistantBeats === 'one';
	let kept = 0;
	return beats.map(({warn: _, ...beat}) => {
		if (!capped || beat.role !== 'assistant' || beat.filtered_reason) return beat;
		const reason = assistantFilter(beat.quote, kept);
		if (reason) warn(reason, beat.quote);
		else kept++;
		return {...beat, filtered_reason: reason};
	});
}

function assistantFilter(quote: string, kept: number): FilterReason | null {
	if (codePointLength(quote) > ASSISTANT_BEAT_CHARS_MAX) return 'assistant_too_long';
	return kept >= ASSISTANT_BEATS_PER_CARD_MAX ? 'assistant_extra' : null;
}

function toEvent({
	event,
	ordinal,
	window,
	parts,
	cardSetId,
	noted,
}: {
	event: ExtractAnswer['events'][number];
	ordinal: number;
	window: Window;
	parts: CardContext['parts'];
	cardSetId: string;
	noted: Notes;
}): Event {
	const unknown = event.related_user_message_ids.filter(id => !parts.has(id));
	if (unknown.length > 0) noted.warn(null, 'event_unknown_source', unknown.join(', '));
	const related = event.related_user_message_ids.flatMap(id => parts.get(id)?.message_id ?? []);
	return {
		event_id: contentId('e', window.window_id, ordinal, event.summary),
		card_set_id: cardSetId,
		window_id: window.window_id,
		ordinal,
		summary: event.summary,
		related_message_ids: [...new Set(related)],
		carded: event.carded,
		reason: event.reason,
	};
}

/** Counts of beats by how they were verified. */
export function countBeats(
	cards: readonly CardWithBeats[],
): Record<'exact' | 'whitespace' | 'none' | 'filtered', number> {
	const counts = {exact: 0, whitespace: 0, none: 0, filtered: 0};
	for (const beat of cards.flatMap(card => card.beats)) {
		if (beat.filtered_reason) counts.filtered++;
		else counts[beat.verification]++;
	}
	return counts;
}
