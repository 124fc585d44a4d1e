/** What `cleanText` mended in a text, and where. */
export interface TextRepair {
	readonly kind: 'nul_removed' | 'lone_surrogate';
	readonly count: number;
	/** Where in the value: a path such as `text` or `raw.content[0].text`. */
	readonly place: string;
	/** Code points before the first one. */
	readonly offset: number;
}

// With the u flag a surrogate matches only where it is not half of a pair.
const LONE_SURROGATE = /[\uD800-\uDFFF]/gu;
const SUSPECT = /[\0\uD800-\uDFFF]/u;

/** The text with NUL removed and lone surrogates as U+FFFD; otherwise as it is. Repairs are added to `repairs`. */
export function cleanText(text: string, place: string, repairs: TextRepair[]): string {
	if (!SUSPECT.test(text)) return text;
	const nuls = text.split('\0').length - 1;
	if (nuls > 0) repairs.push({kind: 'nul_removed', count: nuls, place, offset: codePoints(text, text.indexOf('\0'))});
	const withoutNul = text.replaceAll('\0', '');
	const lone = withoutNul.match(LONE_SURROGATE)?.length ?? 0;
	if (lone === 0) return withoutNul;
	repairs.push({
		kind: 'lone_surrogate',
		count: lone,
		place,
		offset: codePoints(withoutNul, withoutNul.search(LONE_SURROGATE)),
	});
	return withoutNul.replace(LONE_SURROGATE, '\uFFFD');
}

const codePoints = (text: string, end: number): number => [...text.slice(0, end)].length;

/** `cleanText` for every string and key of a JSON value. A value without faults is returned as it is, not copied. */
export function cleanJson(value: unknown, place: string, repairs: TextRepair[]): unknown {
	if (typeof value === 'string') return cleanText(value, place, repairs);
	if (Array.isArray(value)) {
		const items = value.map((item, index) => cleanJson(item, `${place}[${index}]`, repairs));
		return items.some((item, index) => item !== value[index]) ? items : value;
	}
	if (value === null || typeof value !== 'object') return value;
	const entries = Object.entries(value);
	const cleaned = entries.map(([key, item]): [string, unknown] => {
		const name = cleanText(key, `${place} key`, repairs);
		return [name, cleanJson(item, `${place}.${name}`, repairs)];
	});
	const isSame = cleaned.every(([key, item], index) => key === entries[index]?.[0] && item === entries[index]?.[1]);
	return isSame ? value : Object.fromEntries(cleaned);
}
