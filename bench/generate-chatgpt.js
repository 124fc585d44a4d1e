// Writes a synthetic ChatGPT export: trees with edits, retries, tools and hidden nodes, in several languages.
// The same size and seed give the same bytes. Memory is bounded by one conversation.
//
//   node bench/generate-chatgpt.js --mb 200 --seed 1 --out conversations.json
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {createWriteStream} from 'node:fs';
import {finished} from 'node:stream/promises';
import {parseArgs} from 'node:util';
import seedrandom from 'seedrandom';

const MB = 1_000_000;
/** First conversation: 2023-04-01, in seconds. */
const START = 1_680_307_200;
const DAY = 86_400;

/** Our own words, a few a language; sentences are drawn from them. */
const LANGUAGES = {
	en: {
		words:
			'the kettle garden budget letter morning train before cheaper maybe should plan with without our next week bread again window small quiet answer list'.split(
				' ',
			),
		space: ' ',
		stop: '. ',
	},
	zh: {
		words: '我们 明天 厨房 预算 火车 便宜 也许 应该 计划 下周 面包 窗户 安静 回答 清单 已经 还是 女儿 画画 天气'.split(
			' ',
		),
		space: '',
		stop: '。',
	},
	ja: {
		words: '明日 台所 予算 電車 安い たぶん 予定 来週 パン 窓 静か 返事 一覧 もう 娘 天気 手紙 庭 です ました'.split(
			' ',
		),
		space: '',
		stop: '。',
	},
	de: {
		words:
			'der Kessel Garten Brief Morgen Zug vorher günstiger vielleicht sollte ohne nächste Woche Brot wieder Fenster klein leise'.split(
				' ',
			),
		space: ' ',
		stop: '. ',
	},
	ar: {
		words: 'غدا المطبخ الميزانية القطار أرخص ربما الخطة الأسبوع خبز نافذة هادئ الجواب قائمة ابنتي الطقس'.split(' '),
		space: ' ',
		stop: '. ',
	},
};
const NAMES = Object.keys(LANGUAGES);
const CODE = '\n```js\nconst total = prices.map(price => price * 2).filter(Boolean).length;\n```\n';
const MODELS = ['gpt-4', 'gpt-4o', 'o3', 'gpt-5'];

/** Random choices from one seed. */
class Dice {
	#next;

	constructor(seed) {
		this.#next = seedrandom(String(seed));
	}

	/** A whole number from `from` up to, not including, `to`. */
	between(from, to) {
		return from + Math.floor(this.#next() * (to - from));
	}

	chance(share) {
		return this.#next() < share;
	}

	pick(list) {
		return list[this.between(0, list.length)];
	}
}

function sentence(dice, language) {
	const {words, space, stop} = LANGUAGES[language];
	return Array.from({length: dice.between(4, 16)}, () => dice.pick(words)).join(space) + stop;
}

/** A message is short, an answer longer; now and then one is very long. */
function textOf(dice, language, role) {
	const most = dice.chance(0.002) ? 2000 : role === 'user' ? 6 : 25;
	const text = Array.from({length: dice.between(1, most)}, () => sentence(dice, language)).join('');
	return role === 'assistant' && dice.chance(0.15) ? text + CODE.repeat(dice.between(1, 8)) : text;
}

const uuidOf = name =>
	createHash('sha256')
		.update(name)
		.digest('hex')
		.slice(0, 32)
		.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** A tree that grows by its newest leaf, with sidesteps. */
class Conversation {
	mapping = {};
	leaf = 'client-created-root';
	time;
	#dice;
	#name;
	#language;
	#count = 0;

	constructor(dice, name, time) {
		this.#dice = dice;
		this.#name = name;
		this.#language = dice.pick(NAMES);
		this.time = time;
		this.mapping[this.leaf] = {id: this.leaf, message: null, parent: null, children: []};
		this.#add('system', {content_type: 'text', parts: ['']}, {weight: 0, hidden: true, timeless: true});
	}

	/** A question and its answer; sometimes the question is edited, the answer made again, or a tool asked first. */
	turn() {
		const dice = this.#dice;
		const before = this.leaf;
		this.#say('user');
		if (dice.chance(0.06)) {
			this.#say('assistant');
			this.leaf = before;
			this.#say('user');
		}
		const asked = this.leaf;
		if (dice.chance(0.1)) this.#tool();
		this.#say('assistant');
		if (!dice.chance(0.08)) return;
		this.leaf = asked;
		this.#say('assistant');
	}

	record() {
		const {mapping, leaf} = this;
		const id = uuidOf(this.#name);
		const first = Object.values(mapping).find(node => node.message?.author.role === 'user');
		const dice = this.#dice;
		return {
			title: dice.chance(0.03) ? null : sentence(dice, this.#language).slice(0, 40),
			create_time: first?.message.create_time ?? null,
			update_time: this.time,
			mapping,
			moderation_results: [],
			current_node: leaf,
			plugin_ids: null,
			conversation_id: id,
			conversation_template_id: null,
			gizmo_id: null,
			is_archived: dice.chance(0.05),
			is_starred: null,
			safe_urls: [],
			default_model_slug: dice.pick(MODELS),
			conversation_origin: null,
			voice: null,
			async_status: null,
			is_do_not_remember: dice.chance(0.02),
			id,
		};
	}

	#say(role) {
		this.#add(role, {content_type: 'text', parts: [textOf(this.#dice, this.#language, role)]});
	}

	#tool() {
		const language = this.#language;
		const thoughts = [{summary: 'Looking', content: sentence(this.#dice, language), chunks: []}];
		this.#add('assistant', {content_type: 'thoughts', thoughts, source_analysis_msg_id: null});
		this.#add('assistant', {content_type: 'code', language: 'python', text: 'print(1)'}, {recipient: 'python'});
		this.#add('tool', {content_type: 'execution_output', text: sentence(this.#dice, language)}, {name: 'python'});
	}

	#add(role, content, {weight = 1, hidden = false, timeless = false, recipient = 'all', name = null} = {}) {
		const id = uuidOf(`${this.#name} ${this.#count++}`);
		this.time = Math.round((this.time + this.#dice.between(2, 600) + 0.123456) * 1e6) / 1e6;
		const message = {
			id,
			author: {role, name, metadata: {}},
			create_time: timeless ? null : this.time,
			update_time: null,
			content,
			status: 'finished_successfully',
			end_turn: role === 'assistant' ? true : null,
			weight,
			metadata: {
				...(hidden ? {is_visually_hidden_from_conversation: true} : {}),
				...(role === 'assistant' ? {model_slug: this.#dice.pick(MODELS), finish_details: {type: 'stop'}} : {}),
				request_id: id.slice(0, 16),
				timestamp_: 'absolute',
			},
			recipient,
			channel: null,
		};
		this.mapping[id] = {id, message, parent: this.leaf, children: []};
		this.mapping[this.leaf].children.push(id);
		this.leaf = id;
	}
}

/** Conversations are short as a rule; a few go on for thousands of turns. */
function conversationOf(dice, seed, index) {
	const conversation = new Conversation(dice, `${seed} ${index}`, START + index * (DAY / 8));
	const turns = dice.chance(0.003) ? dice.between(300, 1500) : dice.between(1, 30);
	for (let turn = 0; turn < turns; turn++) conversation.turn();
	return conversation.record();
}

const {values} = parseArgs({
	options: {
		mb: {type: 'string', default: '200'},
		seed: {type: 'string', default: '1'},
		out: {type: 'string', default: 'conversations.json'},
	},
});
const wanted = Number(values.mb) * MB;
if (!(wanted > 0)) {
	process.stderr.write('--mb takes a size in millions of bytes, such as 200\n');
	process.exit(2);
}
const dice = new Dice(values.seed);
const file = createWriteStream(values.out);
let bytes = 0;
let count = 0;
while (bytes < wanted) {
	const text = `${count === 0 ? '[' : ', '}${JSON.stringify(conversationOf(dice, values.seed, count))}`;
	bytes += Buffer.byteLength(text);
	count++;
	if (!file.write(text)) await once(file, 'drain');
}
file.end(']');
await finished(file);
process.stdout.write(
	`${JSON.stringify({out: values.out, conversations: count, bytes: bytes + 1, seed: values.seed})}\n`,
);
