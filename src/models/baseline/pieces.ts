import {formatInstant} from '../../core/time.js';
import type {Window, WindowPart} from '../../domain/card.js';
import {shortId} from '../../domain/window-text.js';
import {isAcknowledgement, isWordless} from '../../text/acknowledgement.js';
import {cutCodePoints, sliceCodePoints} from '../../text/code-points.js';
import {oneLine} from '../../text/normalize.js';
import {sentences} from '../../text/pieces.js';
import type {ExtractAnswer} from '../tasks.js';

/** A sentence of a window that a rule-made card may quote. */
export interface Piece {
	readonly part: WindowPart;
	readonly partIndex: number;
	readonly text: string;
}

/** Longest line of the answered message that a context note repeats, in code points. */
const ANSWERED_CHARS_MAX = 60;

/**
 * Sentences of the parts whose words may become beats: of persons always, of the assistant when asked. Pure
 * acknowledgements are left out, and so are parts that the window before has shown, since it has made their beats.
 */
export function piecesOf(window: Window, assistantToo: boolean): Piece[] {
	return window.parts.flatMap((part, partIndex) => {
		if (part.repeated || !(part.personal || (assistantToo && part.role === 'assistant'))) return [];
		return sentences(part.text)
			.map(({start, end}) => ({part, partIndex, text: sliceCodePoints(part.text, start, end)}))
			.filter(({text}) => !isWordless(text) && !isAcknowledgement(text));
	});
}

/** Who speaks, to whom, and the line that was answered (cut): neutral, and by rule. */
export function contextNote(window: Window, piece: Piece): string {
	const chinese = /\p{Script=Han}/u.test(piece.text);
	const speaker = nameOf(piece.part, chinese);
	const answered = window.parts.slice(0, piece.partIndex).findLast(part => part.message_id !== piece.part.message_id);
	if (!answered) return chinese ? `${speaker}说` : `${speaker} says`;
	const other = nameOf(answered, chinese);
	const line = cutCodePoints(oneLine(answered.text), ANSWERED_CHARS_MAX);
	if (other === speaker) return chinese ? `${speaker}接着自己的话：${line}` : `${speaker} goes on after: ${line}`;
	return chinese ? `${speaker}对${other}说，前一句：${line}` : `${speaker} to ${other}, after: ${line}`;
}

function nameOf(part: WindowPart, chinese: boolean): string {
	if (part.speaker && part.speaker !== 'user' && part.speaker !== 'assistant') return part.speaker;
	if (part.role === 'user') return chinese ? '用户' : 'user';
	return chinese ? '助手' : 'assistant';
}

/** A piece as a beat on the wire. */
export const toBeat = (window: Window, piece: Piece): ExtractAnswer['cards'][number]['beats'][number] => ({
	quote: piece.text,
	source_message_id: shortId(piece.partIndex),
	observed_at: piece.part.created_at === null ? null : formatInstant(piece.part.created_at),
	context_note: contextNote(window, piece),
});

/** The short ids of persons' messages among some pieces, each once, in order. */
export const personalIds = (pieces: readonly Piece[]): string[] => [
	...new Set(pieces.filter(piece => piece.part.personal).map(piece => shortId(piece.partIndex))),
];
