import {codePointLength, sliceCodePoints} from './code-points.js';

/** A stretch of a text: code points, end exclusive. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

const ENDS = /[。！？!?…\n]/u;
const CLOSERS = /[」』”’"')）\]】]/u;
const STARTS = /[\p{Lu}\p{Script=Han}"'“‘「『(（[【]/u;

/**
 * Sentence-sized pieces of a text, in order, without white space at their edges. Together they hold every
 * character that is not white space. A full stop ends a sentence only before white space and a capital, a Chinese
 * character or a quote, so that versions, paths and numbers stay whole; closing quotes stay with what they close.
 */
export function sentences(text: string): Span[] {
	const points = Array.from(text);
	const spans: Span[] = [];
	let start = 0;
	for (let i = 0; i < points.length; i++) {
		if (!endsAt(points, i)) continue;
		let end = i + 1;
		while (end < points.length && (ENDS.test(points[end]!) || CLOSERS.test(points[end]!))) end++;
		pushTrimmed(spans, points, start, end);
		start = end;
		i = end - 1;
	}
	pushTrimmed(spans, points, start, points.length);
	return spans;
}

function endsAt(points: readonly string[], i: number): boolean {
	const point = points[i]!;
	if (ENDS.test(point)) return true;
	if (point !== '.') return false;
	let next = i + 1;
	while (next < points.length && CLOSERS.test(points[next]!)) next++;
	if (next < points.length && !/\s/u.test(points[next]!)) return false;
	while (next < points.length && /\s/u.test(points[next]!)) next++;
	return next === points.length || STARTS.test(points[next]!);
}

function pushTrimmed(spans: Span[], points: readonly string[], from: number, to: number): void {
	let start = from;
	let end = to;
	while (start < end && /\s/u.test(points[start]!)) start++;
	while (end > start && /\s/u.test(points[end - 1]!)) end--;
	if (end > start) spans.push({start, end});
}

/** Blank lines between paragraphs. */
const PARAGRAPH = /\n\s*\n/u;

/**
 * Splits a text into stretches of at most `max` code points: at paragraph ends where one fits, else at sentence
 * ends, else hard. The stretches cover the text without gap or overlap.
 */
export function splitToFit(text: string, max: number): Span[] {
	const total = codePointLength(text);
	const spans: Span[] = [];
	let start = 0;
	while (total - start > max) {
		const room = sliceCodePoints(text, start, start + max);
		const end = start + (lastParagraphEnd(room) ?? lastSentenceEnd(room) ?? max);
		spans.push({start, end});
		start = end;
	}
	if (start < total || total === 0) spans.push({start, end: total});
	return spans;
}

function lastParagraphEnd(room: string): number | null {
	let last: number | null = null;
	let from = 0;
	for (;;) {
		const match = PARAGRAPH.exec(room.slice(from));
		if (!match) return last;
		from += match.index + match[0].length;
		last = codePointLength(room.slice(0, from));
	}
}

function lastSentenceEnd(room: string): number | null {
	const spans = sentences(room);
	// The last sentence may be cut by the room's edge, so its end is not known to be one.
	const known = spans.at(-2);
	return known && known.end > 0 ? known.end : null;
}
