import {HindcastError} from '../errors.js';
import {layoutOfFile} from './json-records.js';
import {isObject, otherProduct} from './other-products.js';
import type {Importer, ImportFile, Sample} from './port.js';
import {printable} from './printable.js';

/** The beginning of a file (512 KiB) for the sniffers. A value that is cut there is closed. */
export async function sampleOf(file: ImportFile): Promise<Sample> {
	const {mayBeLines: _, ...sample} = await layoutOfFile(file);
	return sample;
}

/** The first importer whose sniffer takes the sample, or null. */
export const detect = (sample: Sample, importers: readonly Importer[]): Importer | null =>
	importers.find(importer => importer.sniff(sample)) ?? null;

/** The error for a file that no importer takes: what was looked for, what was found, whose export it looks like. */
export function formatUnknown(path: string, sample: Sample, importers: readonly Importer[]): HindcastError {
	const product = otherProduct(sample);
	const wanted = importers.map(({id, looksFor}) => `${id} (${looksFor})`).join('; ');
	const found = foundIn(sample);
	const message =
		product === null
			? `${path} is in no format that is known. Looked for: ${wanted}. Found: ${found}.`
			: `${path}: this looks like a ${product} export, which this version cannot read yet. Found: ${found}.`;
	const details = {path, product, found, looked_for: importers.map(({id}) => id)};
	const hint = 'Check that this is the file with the chats. docs/import.md says how to get it from each product.';
	return new HindcastError('FORMAT_UNKNOWN', {message, hint, details});
}

const KEYS_SHOWN = 12;
const KEY_LENGTH = 40;

const SHAPES: Readonly<Record<Sample['shape'], string>> = {
	array: 'a JSON array',
	object: 'one JSON object',
	lines: 'JSON lines',
	text: 'text that is no JSON',
};
/** Bytes that are no UTF-8, over all, from which on content is no text. */
const NO_TEXT = 0.02;

function foundInText(text: string): string {
	if (text.trim() === '') return text === '' ? 'nothing, the file is empty' : 'nothing but white space';
	const replaced = text.split('\uFFFD').length - 1;
	return replaced > text.length * NO_TEXT ? 'data that is no text' : SHAPES.text;
}

/** Shape and first keys, in words. Keys come from the file, so they are shortened and made printable. */
export function foundIn({shape, records, text = ''}: Sample): string {
	if (shape === 'text') return foundInText(text);
	const first = records[0];
	if (!isObject(first)) {
		const kind = first === undefined ? 'nothing' : Array.isArray(first) ? 'arrays' : `${typeof first}s`;
		return shape === 'object' ? SHAPES.object : `${SHAPES[shape]} of ${kind}`;
	}
	const keys = Object.keys(first);
	const shown = keys.slice(0, KEYS_SHOWN).map(key => printable(key, KEY_LENGTH));
	const more = keys.length > KEYS_SHOWN ? ', …' : '';
	return `${SHAPES[shape]} with the keys ${shown.join(', ') || '(none)'}${more}`;
}
