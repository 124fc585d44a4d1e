import {readFileSync} from 'node:fs';
import {randomFrom} from './random.js';

const read = name => readFileSync(new URL(name, import.meta.url), 'utf8');
const linesOf = text => text.split('\n').filter(line => line !== '');

/** How often each word of a pool is set into a template at least. */
const TIMES = 1;
/** Words drawn for each other slot, of which the nearest to the first word is taken, so that sentences hang together. */
const DRAWS = 24;
const SCENES = 26_000;
/** Shares of scenes with a second and a third sentence. */
const SECOND = 0.3;
const THIRD = 0.08;

/** jieba's tags by slot of templates-zh.txt. */
const ZH_SLOTS = {
	...{
		n: 'n',
		nz: 'n',
		j: 'n',
		x: 'n',
		zg: 'n',
		own: 'n',
		v: 'v',
		vn: 'v',
		d: 'v',
		a: 'a',
		z: 'a',
		ad: 'a',
		an: 'a',
		b: 'a',
	},
	...{nr: 'nr', nrt: 'nr', nrfg: 'nr', ns: 'ns', nt: 'nt', t: 't', s: 's', i: 'i', l: 'l'},
};

/** @returns {Record<string, {word: string, row: number}[]>} words of more than one character by slot */
export function chinesePools(words) {
	const pools = {};
	words.forEach(({word, tag}, row) => {
		const slot = ZH_SLOTS[tag];
		if (slot === undefined || word.length === 1) return;
		pools[slot] ??= [];
		pools[slot].push({word, row});
	});
	return pools;
}

/** @returns {Record<string, {word: string, row: number}[]>} words by the part of speech that has most senses */
export function englishPools(words, senses) {
	const best = new Map();
	for (const [slot, lemmas] of Object.entries(senses)) {
		for (const [word, count] of lemmas) if (count > (best.get(word)?.count ?? 0)) best.set(word, {slot, count});
	}
	const pools = {n: [], v: [], a: [], r: []};
	words.forEach(({word}, row) => {
		if (word.length >= 3 && best.has(word)) pools[best.get(word).slot].push({word, row});
	});
	return pools;
}

/**
 * Sentences from a file of templates, in which each word of the pools stands at least TIMES times.
 * @param {Float32Array} vectors length-1 rows of `dim` numbers, to choose related words by
 */
export function fillTemplates(file, pools, vectors, dim, seed) {
	const random = randomFrom(seed);
	const templates = linesOf(read(file));
	const used = new Map();
	const count = row => used.set(row, (used.get(row) ?? 0) + 1);
	const near = (a, b) => {
		let sum = 0;
		for (let j = 0; j < dim; j++) sum += vectors[a * dim + j] * vectors[b * dim + j];
		return sum;
	};
	const partner = (pool, word) => {
		let best;
		let nearest = Number.NEGATIVE_INFINITY;
		for (let draw = 0; draw < DRAWS || best === undefined; draw++) {
			// Two random numbers multiplied favour the front of the pool, where the frequent words are.
			const other = pool[Math.floor(random() * random() * pool.length)];
			const closeness = near(word.row, other.row);
			if (other === word || closeness <= nearest) continue;
			nearest = closeness;
			best = other;
		}
		return best;
	};
	const sentences = [];
	for (let time = 0; time < TIMES; time++) {
		for (const [slot, pool] of Object.entries(pools)) {
			const fitting = templates.filter(template => template.includes(`{${slot}}`));
			for (const word of pool) {
				if ((used.get(word.row) ?? 0) > time) continue;
				const template = fitting[Math.floor(random() * fitting.length)];
				const slots = [...template.matchAll(/\{(\w+)\}/g)].map(found => found[1]);
				const places = slots.flatMap((name, i) => (name === slot ? [i] : []));
				const at = places[Math.floor(random() * places.length)];
				const chosen = slots.map((name, i) => (i === at ? word : partner(pools[name], word)));
				for (const {row} of chosen) count(row);
				let i = 0;
				sentences.push(template.replace(/\{\w+\}/g, () => chosen[i++].word));
			}
		}
	}
	return [...new Set(sentences)];
}

/** @returns {{classes: Record<string, string[]>, templates: string[]}} */
export function readScenes(file) {
	const [head, body] = read(file).split('\n%\n');
	const lines = linesOf(head).filter(line => !line.startsWith('#'));
	const classes = Object.fromEntries(
		lines
			.map(line => line.split(' = '))
			.map(([name, words]) => [name, words.split(words.includes(' | ') ? ' | ' : ' ')]),
	);
	return {classes, templates: linesOf(body)};
}

/**
 * @param {string} between what parts two sentences of one text: nothing in Chinese, a space in English
 * @returns {string[]} distinct texts of one to three sentences, as a user might say them
 */
export function fillScenes({classes, templates}, between, seed) {
	const random = randomFrom(seed);
	const pick = list => list[Math.floor(random() * list.length)];
	const sentence = () => pick(templates).replace(/<([^>]+)>/g, (_, name) => pick(classes[name]));
	const texts = Array.from({length: SCENES}, () => {
		const more = random();
		const count = 1 + Number(more < SECOND) + Number(more < THIRD);
		return Array.from({length: count}, sentence).join(between);
	});
	return [...new Set(texts)];
}

/** @returns {string[]} words of our own, apart by white space */
export const ownWords = file =>
	read(file)
		.split(/\s+/)
		.filter(word => word !== '');
