import {randomFrom, shuffled} from './random.js';

/** Step of Adagrad; it falls in a straight line to a tenth at the last epoch. Found on fold a, see models/static/README.md. */
const STEP = 0.05;
const EPOCHS = 4;
const SEED = 1;

/**
 * Fits the rows so that the sum of a sentence's rows points where the teacher's vector of the sentence points:
 * gradient ascent on the cosine, one sentence a step, Adagrad with one sum of squares a row. Rows that no sentence
 * uses stay where they began.
 * @param {Int32Array[]} sentences row numbers of each sentence's tokens
 * @param {Float32Array} targets the teacher's vectors, k numbers each, in the axes of the rows
 * @param {Float32Array} start the rows to begin with
 * @param {number} pull of each row to where it began, a step: keeps rare words near what the teacher says of them alone
 * @returns {Float32Array}
 */
export function fitRows(sentences, targets, k, start, pull) {
	const rows = new Float32Array(start);
	const squares = new Float32Array(start.length / k).fill(1e-3);
	const lengths = targetLengths(targets, k);
	const random = randomFrom(SEED);
	for (let epoch = 0; epoch < EPOCHS; epoch++) {
		const step = STEP * (1 - (0.9 * epoch) / EPOCHS);
		let cosines = 0;
		for (const i of shuffled(sentences.length, random)) {
			const target = targets.subarray(i * k, i * k + k);
			cosines += stepOne(sentences[i], target, lengths[i], {rows, start, squares, k, step, pull});
		}
		console.log(`  epoch ${epoch + 1}/${EPOCHS}: mean cosine ${(cosines / sentences.length).toFixed(4)}`);
	}
	return rows;
}

function targetLengths(targets, k) {
	return Float64Array.from({length: targets.length / k}, (_, i) => {
		let sum = 0;
		for (let j = 0; j < k; j++) sum += targets[i * k + j] * targets[i * k + j];
		return Math.sqrt(sum) || 1;
	});
}

/** @returns {number} the cosine before the step */
function stepOne(tokens, target, targetLength, {rows, start, squares, k, step, pull}) {
	const sum = new Float64Array(k);
	for (const row of tokens) for (let j = 0; j < k; j++) sum[j] += rows[row * k + j];
	let own = 0;
	let both = 0;
	for (let j = 0; j < k; j++) {
		own += sum[j] * sum[j];
		both += sum[j] * target[j];
	}
	const length = Math.sqrt(own);
	if (length < 1e-9) return 0;
	const cosine = both / length / targetLength;
	const gradient = new Float64Array(k);
	let gradientSquares = 0;
	for (let j = 0; j < k; j++) {
		gradient[j] = target[j] / targetLength - (cosine * sum[j]) / length;
		gradientSquares += gradient[j] * gradient[j];
	}
	for (const row of tokens) {
		squares[row] += gradientSquares / k;
		const rate = step / Math.sqrt(squares[row] * k);
		for (let j = 0; j < k; j++) rows[row * k + j] += rate * gradient[j];
	}
	for (const row of tokens) {
		for (let j = 0; j < k; j++) rows[row * k + j] += pull * step * (start[row * k + j] - rows[row * k + j]);
	}
	return cosine;
}
