/** Number of Unicode code points. Every length and span of hindcast counts these, not UTF-16 units. */
export function codePointLength(text: string): number {
	let length = text.length;
	for (let i = 0; i < text.length - 1; i++) if (isHigh(text.charCodeAt(i)) && isLow(text.charCodeAt(i + 1))) length--;
	return length;
}

/** Code points `start` (inclusive) to `end` (exclusive). */
export function sliceCodePoints(text: string, start: number, end: number): string {
	const from = unitIndex(text, start);
	return text.slice(from, from + unitIndex(text.slice(from), end - start));
}

/** The first `max` code points, with an ellipsis in place of what was cut. */
export function cutCodePoints(text: string, max: number, mark = '…'): string {
	if (codePointLength(text) <= max) return text;
	return sliceCodePoints(text, 0, max - codePointLength(mark)) + mark;
}

/** UTF-16 index of a code point position. */
export function unitIndex(text: string, position: number): number {
	let index = 0;
	for (let n = 0; n < position && index < text.length; n++) index += isPairAt(text, index) ? 2 : 1;
	return index;
}

/** Code point position of a UTF-16 index. */
export const pointIndex = (text: string, index: number): number => codePointLength(text.slice(0, index));

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
const isPairAt = (text: string, index: number) =>
	isHigh(text.charCodeAt(index)) && index + 1 < text.length && isLow(text.charCodeAt(index + 1));
