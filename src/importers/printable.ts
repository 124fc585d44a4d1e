/** Characters that a terminal obeys, or that turn the direction of what stands around them. */
const OBEYED = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const LENGTH_MAX = 1000;

/** A text of a file, or a name of one, as it may be printed: on one line, control characters shown and not obeyed. */
export function printable(text: string, max: number = LENGTH_MAX): string {
	// A character of two halves is not cut between them.
	const kept = text.length > max ? `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…` : text;
	return kept.replace(OBEYED, character => `\\u${hex(character)}`);
}

const hex = (character: string): string => (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');

/** The same for every text in a value that is printed as JSON, which shows some of these characters and not others. */
export function printableJson(value: unknown): unknown {
	if (typeof value === 'string') return printable(value);
	if (Array.isArray(value)) return value.map(printableJson);
	if (value === null || typeof value !== 'object') return value;
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [printable(key), printableJson(item)]));
}
