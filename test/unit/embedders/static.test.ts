import {createHash} from 'node:crypto';
import {readFileSync, statSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {packageFile} from '../../../src/core/package-root.js';
import {openStaticEmbedder, STATIC_TABLE_FILE} from '../../../src/embedders/static.js';
import {segment} from '../../../src/embedders/static-segment.js';
import {Vocabulary} from '../../../src/embedders/static-vocabulary.js';

const embedder = openStaticEmbedder();

/** What the repository may hold of both tables together, in bytes. */
const TABLE_BYTES_MAX = 10_000_000;

const TEXTS = [
	'我对花生过敏，点菜的时候请提醒我。',
	'下周三下午三点和客户开会，地点改到上海。',
	'她最近总是失眠，心情也不太好。',
	'把数据库从 SQLite 换成 DuckDB，旧方案作废。',
	"I'm allergic to peanuts, so please remind me when I order food.",
	'The meeting with the client moved to 3 pm on Wednesday.',
	'Our build fails since we upgraded to TypeScript v5.9.3 in src/embedders/static.ts',
	'用Claude写的周报模板放在 docs/weekly-report.md 里',
	'gen-itgc parseHTTPBody2 2026-01-05 192.168.0.1',
	'Café ＡＢＣ，全角１２３',
];

/** Of the ten vectors' bytes, from the committed table. Changes only with the table or the text preparation. */
const GOLDEN = '50d70f7504ce5ab0b0f9be54ef0d20ff25aeb386610c3da421ad5262726615b8';

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
const lengthOf = (vector: Float32Array): number => Math.sqrt(cosine(vector, vector));

describe('vectors', () => {
	test('have length 1 and the declared dimension', async () => {
		for (const vector of await embedder.embed(TEXTS)) {
			expect(vector.length).toBe(embedder.dim);
			expect(lengthOf(vector)).toBeCloseTo(1, 6);
		}
	});

	test('are the same bytes alone, in company and again', async () => {
		const together = await embedder.embed([...TEXTS, ...TEXTS].reverse());
		for (const [i, text] of TEXTS.entries()) {
			const [alone] = await embedder.embed([text]);
			expect(together[TEXTS.length - 1 - i]).toEqual(alone);
			expect(together[2 * TEXTS.length - 1 - i]).toEqual(alone);
		}
	});

	test('keep their golden hash', async () => {
		const hash = createHash('sha256');
		for (const vector of await embedder.embed(TEXTS)) {
			for (const x of vector) {
				const bytes = Buffer.alloc(4);
				bytes.writeFloatLE(x, 0);
				hash.update(bytes);
			}
		}
		expect(hash.digest('hex')).toBe(GOLDEN);
	});

	test.each(['', ' \n', '🎉🎊', '……？！', '---', 'Привет'])('of %j is the zero vector', async text => {
		const [vector] = await embedder.embed([text]);
		expect(vector!.length).toBe(embedder.dim);
		expect(vector!.every(x => x === 0)).toBe(true);
	});

	test.each([
		['用Claude写周报', '用 Claude 写周报'],
		['升级到Node20之后测试失败', '升级到 Node20 之后测试失败'],
		['我在用VSCode写Python代码', '我在用 VSCode 写 Python 代码'],
		['全角ＡＰＩ接口', '全角 api 接口'],
		['Café', 'cafe'],
	])('of %j equals that of %j', async (glued, spaced) => {
		const [a, b] = await embedder.embed([glued, spaced]);
		expect(a).toEqual(b);
	});

	test('of pure texts fill only their own block', async () => {
		const half = embedder.dim / 2;
		const [zh, en] = await embedder.embed(['今天天气很好', 'nice weather today']);
		expect(zh!.subarray(half).every(x => x === 0)).toBe(true);
		expect(en!.subarray(0, half).every(x => x === 0)).toBe(true);
	});
});

describe('neighbours make sense: the first text is nearer to the second than to the third', () => {
	test.each([
		['我对花生过敏', '不能吃坚果', '我喜欢爬山'],
		['晚上总是睡不着', '最近失眠很严重', '昨天买了一辆自行车'],
		['老板让我周末加班', '工作压力太大了', '妈妈做的红烧肉真好吃'],
		['孩子考上了大学', '儿子收到录取通知书', '冰箱坏了要找人修'],
		['想去日本旅游', '订了飞东京的机票', '数据库查询太慢'],
		['猫生病了，带它去看兽医', '我家宠物不舒服', '股票又跌了'],
		['I cannot eat peanuts', 'She has a food allergy', 'We went hiking in the mountains'],
		['I can not sleep at night', 'Insomnia is ruining my week', 'The bike has a flat tire'],
		['The database query is slow', 'Add an index to speed up the SQL table', 'My grandmother bakes bread'],
		['We are planning a wedding', 'They got engaged last month', 'The server crashed again'],
		['My puppy is sick', 'Take the dog to a veterinarian', 'Stocks fell sharply'],
		['部署到 Kubernetes 集群失败', 'Docker 容器启动报错', '周末和朋友吃火锅'],
	])('%s | %s | %s', async (text, near, far) => {
		const [a, b, c] = await embedder.embed([text, near, far]);
		expect(cosine(a!, b!)).toBeGreaterThan(cosine(a!, c!));
	});
});

describe('table', () => {
	test('stays within the size that the repository allows', () => {
		expect(statSync(packageFile(STATIC_TABLE_FILE)).size).toBeLessThanOrEqual(TABLE_BYTES_MAX);
	});

	test('is named by its sha256 in the fingerprint and in its README', () => {
		const sha256 = createHash('sha256')
			.update(readFileSync(packageFile(STATIC_TABLE_FILE)))
			.digest('hex');
		expect(embedder.fingerprint).toContain(sha256.slice(0, 16));
		expect(readFileSync(packageFile('models/static/README.md'), 'utf8')).toContain(sha256);
	});

	test.each(['package.json', 'no-such-file.bin'])('%s is refused', path => {
		expect(() => openStaticEmbedder(packageFile(path))).toThrow();
	});
});

describe('segmentation', () => {
	const zhWords = ['我', '喜', '欢', '喜欢', '火锅', '火'];
	const latinWords = ['v', '1', '2', '##1', '21', 'parse', 'http', 'body', 'un', '##know', '##able', 'iphone'];
	const cut = (text: string) => {
		const {zh, latin, ...shares} = segment(
			text,
			() => new Vocabulary(zhWords.join('\n')),
			() => new Vocabulary(latinWords.join('\n')),
		);
		return {zh: zh.map(row => zhWords[row]), latin: latin.map(row => latinWords[row]), ...shares};
	};

	test('takes the longest Chinese word and skips what it does not know', () => {
		expect(cut('我喜欢吃火锅')).toEqual({zh: ['我', '喜欢', '火锅'], latin: [], hanCharacters: 6, latinWords: 0});
	});

	test('works without any word', () => {
		const none = new Vocabulary('');
		expect(
			segment(
				'我 a',
				() => none,
				() => none,
			),
		).toEqual({zh: [], latin: [], hanCharacters: 1, latinWords: 1});
	});

	test.each([
		['iPhone', ['iphone']],
		['v2.1', ['v', '2', '1']],
		['parseHTTPBody', ['parse', 'http', 'body']],
		['unknowable', ['un', '##know', '##able']],
		['21', ['21']],
		['xyz', []],
	])('cuts %s', (text, latin) => {
		expect(cut(text).latin).toEqual(latin);
	});
});
