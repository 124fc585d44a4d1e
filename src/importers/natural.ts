import {compareStrings} from '../core/json.js';

/** Orders runs of digits by their number and the rest by code units: `part-2` comes before `part-10`. */
export function compareNatural(a: string, b: string): number {
	const left = a.match(/\d+|\D+/g) ?? [];
	const right = b.match(/\d+|\D+/g) ?? [];
	for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
		const order = compareRuns(left[at] ?? '', right[at] ?? '');
		if (order !== 0) return order;
	}
	// Equal numbers may be written with different zeros; the plain order then keeps the result strict.
	return left.length - right.length || compareStrings(a, b);
}

function compareRuns(a: string, b: string): number {
	const isNumber = /^\d/.test(a) && /^\d/.test(b);
	if (!isNumber) return compareStrings(a, b);
	const left = a.replace(/^0+/, '');
	const right = b.replace(/^0+/, '');
	return left.length - right.length || compareStrings(left, right);
}

/** Parts of an export that hold no chats but say what files in them are called, so they are read before the chats. */
const NAMING_PARTS = /(?:^|\/)(?:conversation_asset_file_names|library_files)\.json$/;

/** The order in which the files of a folder or an archive are read. A name decides when a file is read, never as what. */
export const compareParts = (a: string, b: string): number =>
	Number(NAMING_PARTS.test(b)) - Number(NAMING_PARTS.test(a)) || compareNatural(a, b);
