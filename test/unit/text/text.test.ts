import {describe, expect, test} from 'vitest';
import {isAcknowledgement, isWordless} from '../../../src/text/acknowledgement.js';
import {cleanInjected} from '../../../src/text/clean.js';
import {codePointLength, cutCodePoints, sliceCodePoints} from '../../../src/text/code-points.js';
import {comparisonForm, oneLine} from '../../../src/text/normalize.js';
import {sentences, splitToFit} from '../../../src/text/pieces.js';
import {findQuote} from '../../../src/text/quotes.js';
import {tokenize} from '../../../src/text/tokens.js';

const pieces = (text: string) => sentences(text).map(({start, end}) => sliceCodePoints(text, start, end));

describe('sentences', () => {
	test.each([
		['一。二！三？', ['一。', '二！', '三？']],
		['他说：“走吧。”然后走了。', ['他说：“走吧。”', '然后走了。']],
		['Use v2.1 of src/a.ts. Then go.', ['Use v2.1 of src/a.ts.', 'Then go.']],
		['It costs 3.50 euro. 真的吗?!', ['It costs 3.50 euro.', '真的吗?!']],
		['see e.g. this one', ['see e.g. this one']],
		['line one\nline two\n\n line three ', ['line one', 'line two', 'line three']],
		['She said "Go." Then left.', ['She said "Go."', 'Then left.']],
		['嗯……好吧', ['嗯……', '好吧']],
		['😀。𠮷', ['😀。', '𠮷']],
		['  \n ', []],
		['', []],
	])('%j', (text, expected) => {
		expect(pieces(text)).toEqual(expected);
	});
});

describe('splitToFit', () => {
	const split = (text: string, max: number) =>
		splitToFit(text, max).map(({start, end}) => sliceCodePoints(text, start, end));
	test.each([
		['一二三四五', 10, ['一二三四五']],
		['一二\n\n三四五', 6, ['一二\n\n', '三四五']],
		['一二。三四。五六', 7, ['一二。三四。', '五六']],
		['一二。三四五。', 6, ['一二。', '三四五。']],
		['一二三四五六七', 3, ['一二三', '四五六', '七']],
		['😀😀😀', 1, ['😀', '😀', '😀']],
		['', 5, ['']],
	])('%j in stretches of %i', (text, max, expected) => {
		expect(split(text, max)).toEqual(expected);
	});
});

describe('findQuote', () => {
	test.each([
		['said 😀 once', 'once', 'exact', 7, 11],
		['a\u2028b', 'a b', 'whitespace', 0, 3],
		['全角　空格', '全角空格', 'whitespace', 0, 5],
		['用 React 写', '用React写', 'whitespace', 0, 9],
		['aaa', 'aa', 'exact', 0, 2],
		['Ａ', 'A', 'none', null, null],
		['é', 'e\u0301', 'none', null, null],
		['x\u200by', 'xy', 'none', null, null],
		['abc', 'ABC', 'none', null, null],
		['', 'x', 'none', null, null],
	])('in %j the quote %j is %s', (text, quote, verification, start, end) => {
		expect(findQuote(text, quote)).toEqual({verification, span: start === null ? null : {start, end}});
	});

	test('an exact place is preferred to a folded one, even when it stands later', () => {
		expect(findQuote('a  b and a b', 'a b')).toEqual({verification: 'exact', span: {start: 9, end: 12}});
	});

	test('the first place that is free is taken, the first of all when none is', () => {
		const places = [0, 4, 8].map(start => ({start, end: start + 3}));
		expect(findQuote('abc abc abc', 'abc', places.slice(0, 2)).span).toEqual(places[2]);
		expect(findQuote('abc abc abc', 'abc', places).span).toEqual(places[0]);
		expect(findQuote('a b, a b', 'ab', [{start: 0, end: 3}])).toEqual({
			verification: 'whitespace',
			span: {start: 5, end: 8},
		});
	});
});

describe('cleanInjected', () => {
	test.each([
		['<system-reminder>x</system-reminder>真话', '真话'],
		['前<system-reminder a="1">x\ny</system-reminder>后', '前后'],
		['[[resident]]\n【常驻记忆】\n[[/resident]]\n真话', '真话'],
		['[[handoff]]\n没有结尾', ''],
		['一\n【以上为隐藏交接与动态上下文，以下是用户本轮消息】\n二', '二'],
		['[Request interrupted by user]', ''],
		['I wrote <b>bold</b> and a < b', 'I wrote <b>bold</b> and a < b'],
		['the words system-reminder alone', 'the words system-reminder alone'],
		['', ''],
	])('%j leaves %j', (text, clean) => {
		expect(cleanInjected(text)).toBe(clean);
	});
});

test('acknowledgements are words of the lexicon and nothing else', () => {
	for (const text of ['好的', '嗯嗯，谢谢', 'OK!', 'thank you so much', 'Okaaay'.replace('aaa', 'a'), '哈哈哈哈'])
		expect(isAcknowledgement(text)).toBe(true);
	for (const text of ['', '😀', '好的我要茶', 'thanks for the tea', '不', '。'])
		expect(isAcknowledgement(text)).toBe(false);
	expect([isWordless('😀…'), isWordless('1'), isWordless('茶'), isWordless('')]).toEqual([true, false, false, true]);
});

test('tokens keep versions, paths and names whole, and cut Chinese into bigrams', () => {
	expect(tokenize('睡不着 tea')).toEqual(['睡不', '不着', 'tea']);
	expect(tokenize('茶')).toEqual(['茶']);
	expect(tokenize('gen-itgc v2.1')).toEqual(['gen-itgc', 'gen', 'itgc', 'v2.1', 'v2', '1']);
	expect(tokenize("Ann's Ｔｅａ用React写")).toEqual(['ann', 'tea', '用', 'react', '写']);
	expect(tokenize('😀 … ')).toEqual([]);
	expect(tokenize('x'.repeat(50_000))).toHaveLength(1);
});

test('lengths and cuts count code points; comparison forms fold width, white space and punctuation', () => {
	expect([codePointLength('a😀𠮷'), codePointLength('\ud83d'), codePointLength('')]).toEqual([3, 1, 0]);
	expect([cutCodePoints('😀😀😀', 2), cutCodePoints('😀😀', 2), sliceCodePoints('a😀b', 1, 2)]).toEqual([
		'😀…',
		'😀😀',
		'😀',
	]);
	expect(comparisonForm('Ｔｅａ， 好\n喝！')).toBe('Tea好喝');
	expect(oneLine(' a\r\n\tb　c\u2028d ')).toBe('a b c d');
});
