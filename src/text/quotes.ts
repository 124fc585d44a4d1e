import {codePointLength, pointIndex} from './code-points.js';
import type {Span} from './pieces.js';

/** How a quote was found in its message: word for word, only with white space folded, or not at all. */
export type Verification = 'exact' | 'whitespace' | 'none';

export interface FoundQuote {
	readonly verification: Verification;
	/** Code points of the message; null when the quote was not found. */
	readonly span: Span | null;
}

/**
 * Looks a quote up in a message. The first occurrence that is not among `used` is taken; when all are used, the
 * first. White space is folded by leaving it out on both sides: the span then covers the source's own words, so
 * nothing but white space can differ.
 * @param used spans that other beats of the card have taken
 */
export function findQuote(text: string, quote: string, used: readonly Span[] = []): FoundQuote {
	const exact = occurrences(text, quote).map(index => toSpan(text, index, index + quote.length));
	if (exact.length > 0) return {verification: 'exact', span: pickUnused(exact, used)};
	const folded = foldedOccurrences(text, quote);
	if (folded.length > 0) return {verification: 'whitespace', span: pickUnused(folded, used)};
	return {verification: 'none', span: null};
}

function occurrences(text: string, part: string): number[] {
	// Half of a surrogate pair is no character, so it cannot be a quote.
	if (part.trim() === '' || /^[\udc00-\udfff]|[\ud800-\udbff]$/.test(part)) return [];
	const found: number[] = [];
	for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) found.push(at);
	return found;
}

function foldedOccurrences(text: string, quote: string): Span[] {
	const {compact, indexes} = withoutSpace(text);
	const needle = withoutSpace(quote).compact;
	return occurrences(compact, needle).map(at =>
		toSpan(text, indexes[at] ?? 0, (indexes[at + needle.length - 1] ?? 0) + 1),
	);
}

function withoutSpace(text: string): {compact: string; indexes: number[]} {
	const indexes: number[] = [];
	let compact = '';
	for (let i = 0; i < text.length; i++) {
		const unit = text.charAt(i);
		if (/\s/u.test(unit)) continue;
		compact += unit;
		indexes.push(i);
	}
	return {compact, indexes};
}

function toSpan(text: string, from: number, to: number): Span {
	const start = pointIndex(text, from);
	return {start, end: start + codePointLength(text.slice(from, to))};
}

const pickUnused = (spans: readonly Span[], used: readonly Span[]): Span | null =>
	spans.find(span => !used.some(taken => taken.start === span.start && taken.end === span.end)) ?? spans[0] ?? null;
