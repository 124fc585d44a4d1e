import {closeSync, openSync, writeSync} from 'node:fs';

/** Largest code; codes 0..15 stand for −7.5..7.5 times the row's scale. */
const CODE_MAX = 15;
const CODE_MIDDLE = 7.5;
/** Shares of a row's largest number that may become the end of its scale: clipping a few peaks lowers the squared error. */
const CLIPS = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4];

/**
 * Writes static.bin. Little-endian: 'HST1', dim, then rows and bytes of words for Chinese and for Latin (u32 each);
 * then for each block: its words (UTF-8, one a line), the unit of its scales (f32), a scale a row (u16, in units), the
 * codes (dim / 2 bytes a row, the even number in the low half).
 * @param {{words: string[], rows: Float32Array}[]} blocks Chinese, Latin
 * @returns {number} bytes written
 */
export function writeTable(path, dim, blocks) {
	const header = Buffer.alloc(8 + 8 * blocks.length);
	header.write('HST1', 0, 'latin1');
	header.writeUInt32LE(dim, 4);
	const parts = [header];
	blocks.forEach(({words, rows}, i) => {
		const text = Buffer.from(words.join('\n'), 'utf8');
		header.writeUInt32LE(words.length, 8 + 8 * i);
		header.writeUInt32LE(text.length, 12 + 8 * i);
		parts.push(text, ...encodeRows(rows, words.length, dim));
	});
	const file = openSync(path, 'w');
	for (const part of parts) writeSync(file, part);
	closeSync(file);
	return parts.reduce((sum, part) => sum + part.length, 0);
}

/** @returns {[Buffer, Buffer, Buffer]} unit, scales, codes */
function encodeRows(rows, n, dim) {
	const exact = new Float64Array(n);
	for (let i = 0; i < n; i++) exact[i] = bestScale(rows.subarray(i * dim, i * dim + dim));
	const unit = Buffer.alloc(4);
	unit.writeFloatLE(Math.fround(exact.reduce((a, b) => Math.max(a, b), 0) / 65_000), 0);
	const step = unit.readFloatLE(0);
	const scales = Buffer.alloc(2 * n);
	const codes = Buffer.alloc((n * dim) / 2);
	for (let i = 0; i < n; i++) {
		const count = Math.max(1, Math.round(exact[i] / step));
		scales.writeUInt16LE(count, 2 * i);
		for (let j = 0; j < dim; j += 2) {
			const low = codeOf(rows[i * dim + j], count * step);
			const high = codeOf(rows[i * dim + j + 1], count * step);
			codes[(i * dim + j) / 2] = low | (high << 4);
		}
	}
	return [unit, scales, codes];
}

const codeOf = (x, scale) => Math.min(CODE_MAX, Math.max(0, Math.floor(x / scale) + 8));

/** The scale of least squared error among the clips. */
function bestScale(row) {
	let largest = 0;
	for (const x of row) largest = Math.max(largest, Math.abs(x));
	if (largest === 0) return 0;
	let best = 0;
	let least = Number.POSITIVE_INFINITY;
	for (const clip of CLIPS) {
		const scale = (largest * clip) / CODE_MIDDLE;
		let error = 0;
		for (const x of row) error += (x - (codeOf(x, scale) - CODE_MIDDLE) * scale) ** 2;
		if (error >= least) continue;
		least = error;
		best = scale;
	}
	return best;
}
