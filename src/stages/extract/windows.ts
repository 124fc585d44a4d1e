import {contentId} from '../../core/ids.js';
import type {Zone} from '../../core/time.js';
import {NO_DAY, type Window, type WindowPart} from '../../domain/card.js';
import {isPersonal, type Message} from '../../domain/conversation.js';
import {renderPart, renderWindow} from '../../domain/window-text.js';
import type {ConversationText} from '../../ports/store.js';
import {remaining} from '../../text/clean.js';
import {codePointLength, pointIndex, sliceCodePoints} from '../../text/code-points.js';
import {splitToFit} from '../../text/pieces.js';
import {WINDOW_CHARS_MAX, WINDOW_OVERLAP_MESSAGES, WINDOW_USER_MESSAGES_MAX} from './constants.js';

/** A person's message with the assistant's messages that follow it. */
type Turn = readonly WindowPart[];

/**
 * Cuts a conversation into extraction windows (spec: cards, Windows). Windows never cross a day of the memory zone,
 * hold at most five non-empty messages of persons and 5500 code points, and neighbours overlap by two such messages.
 * @param conversation visible messages in order
 * @param cardSetId part of the windows' ids
 * @returns windows by day and order; every non-empty message of a person is in at least one
 */
export function planWindows({conversation, messages}: ConversationText, zone: Zone, cardSetId: string): Window[] {
	const windows: Window[] = [];
	for (const [day, ofDay] of byDay(messages, zone)) {
		let ordinal = 0;
		for (const parts of windowsOfDay(toTurns(ofDay, conversation.kind))) {
			windows.push(toWindow({parts, day, ordinal, conversation, cardSetId}));
			ordinal++;
		}
	}
	return windows;
}

/** Messages by day, days in order of their first message: a clock that goes back makes no second group. */
function byDay(messages: readonly Message[], zone: Zone): Map<string, Message[]> {
	const days = new Map<string, Message[]>();
	for (const message of messages) {
		const day = message.created_at === null ? NO_DAY : zone.dayOf(message.created_at);
		const group = days.get(day);
		if (group) group.push(message);
		else days.set(day, [message]);
	}
	return days;
}

function toTurns(messages: readonly Message[], kind: 'assistant' | 'people'): Turn[] {
	const turns: WindowPart[][] = [];
	let leading: WindowPart[] = [];
	for (const message of messages) {
		if (message.text.trim() === '') continue;
		const personal = isPersonal(message, kind);
		const parts = toParts(message, personal);
		if (parts.length === 0) continue;
		if (personal) {
			turns.push([...leading, ...parts]);
			leading = [];
		} else if (turns.length > 0) turns.at(-1)!.push(...parts);
		else leading.push(...parts);
	}
	return turns;
}

/** What of a message may be quoted: all of it but what programs put into it, each stretch with its own offsets. */
function toParts(message: Message, personal: boolean): WindowPart[] {
	const {text, message_id, seq, role, speaker, created_at} = message;
	return remaining(text)
		.map(({from, to}) => ({text: text.slice(from, to), start: pointIndex(text, from)}))
		.filter(stretch => stretch.text.trim() !== '')
		.map(stretch => ({
			message_id,
			seq,
			start: stretch.start,
			end: stretch.start + codePointLength(stretch.text),
			text: stretch.text,
			role,
			speaker,
			created_at,
			personal,
			repeated: false,
		}));
}

function windowsOfDay(turns: readonly Turn[]): WindowPart[][] {
	const step = WINDOW_USER_MESSAGES_MAX - WINDOW_OVERLAP_MESSAGES;
	const shown = new Set<string>();
	const windows: WindowPart[][] = [];
	for (let first = 0; first < turns.length; first += step) {
		// A last window whose turns were all in the one before would add no new message.
		if (first > 0 && first + WINDOW_OVERLAP_MESSAGES >= turns.length) break;
		const subs = packTurns(turns.slice(first, first + WINDOW_USER_MESSAGES_MAX));
		const marked = subs.map(parts => parts.map(part => ({...part, repeated: shown.has(partKey(part))})));
		windows.push(...marked.filter(parts => parts.some(part => !part.repeated)));
		for (const parts of subs) for (const part of parts) shown.add(partKey(part));
	}
	return windows;
}

const partKey = (part: WindowPart) => `${part.message_id}:${part.start}`;

/** Sub-windows of at most the budget: whole turns where they fit, then whole messages, then pieces of a message. */
function packTurns(turns: readonly Turn[]): WindowPart[][] {
	const packed: WindowPart[][] = [];
	let current: WindowPart[] = [];
	let chars = 0;
	const add = (unit: readonly WindowPart[]): void => {
		const cost = costOf(unit);
		if (current.length > 0 && chars + cost > WINDOW_CHARS_MAX) {
			packed.push(current);
			current = [];
			chars = 0;
		}
		current.push(...unit);
		chars += cost;
	};
	for (const turn of turns) {
		if (costOf(turn) <= WINDOW_CHARS_MAX) add(turn);
		else for (const part of turn.flatMap(splitPart)) add([part]);
	}
	if (current.length > 0) packed.push(current);
	return packed;
}

/** An upper bound of the rendered size: short ids are taken as four characters wide, each line with its break. */
const costOf = (parts: readonly WindowPart[]): number =>
	parts.reduce((sum, part) => sum + codePointLength(renderPart(part, 998)) + 1, 0);

/** Pieces depend on the message alone, so that overlapping windows cut it at the same places. */
function splitPart(part: WindowPart): WindowPart[] {
	const overhead = costOf([{...part, text: ''}]);
	return splitToFit(part.text, WINDOW_CHARS_MAX - overhead).map(({start, end}) => ({
		...part,
		start: part.start + start,
		end: part.start + end,
		text: sliceCodePoints(part.text, start, end),
	}));
}

function toWindow({
	parts,
	day,
	ordinal,
	conversation,
	cardSetId,
}: {
	parts: readonly WindowPart[];
	day: string;
	ordinal: number;
	conversation: ConversationText['conversation'];
	cardSetId: string;
}): Window {
	const times = parts.flatMap(part => (part.created_at === null ? [] : [part.created_at]));
	const shown = parts.map(({seq: _, ...part}) => part);
	return {
		window_id: contentId('w', cardSetId, conversation.conversation_id, day, shown),
		conversation_id: conversation.conversation_id,
		kind: conversation.kind,
		line: conversation.line,
		day,
		ordinal,
		parts,
		n_user: new Set(parts.filter(part => part.personal).map(part => part.message_id)).size,
		n_chars: codePointLength(renderWindow({parts})),
		seen_until: times.length === 0 ? null : Math.max(...times),
		seen_until_seq: Math.max(...parts.map(part => part.seq)),
	};
}
