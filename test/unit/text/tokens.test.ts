import fc from 'fast-check';
import {expect, test} from 'vitest';
import {tokenize} from '../../../src/text/tokens.js';

test.each([
	['重跑gen-itgc后', ['重跑', 'gen-itgc', 'gen', 'itgc', '后']],
	['用户身份', ['用户', '户身', '身份']],
	['部署', ['部署']],
	['茶', ['茶']],
	['importer v2.1 → v2.2', ['importer', 'v2.1', 'v2', '1', 'v2.2', 'v2', '2']],
	['/etc/stock/stockd.toml', ['etc/stock/stockd.toml', 'etc', 'stock', 'stockd', 'toml']],
	["Nadia's notes", ['nadia', 'notes']],
	['ＡＢＣ１２３，：０６２７', ['abc123', '0627']],
	['腾讯云2026-11-30上线', ['腾讯', '讯云', '2026-11-30', '2026', '11', '30', '上线']],
	['しりとり', ['しり', 'りと', 'とり']],
	['끝말잇기', ['끝말', '말잇', '잇기']],
	['? ! . , ; / #', []],
	['🙂👨‍👩‍👧', []],
])('%s', (text, tokens) => expect(tokenize(text)).toEqual(tokens));

test('both sides of a search are read alike: case and width do not matter', () => {
	fc.assert(
		fc.property(fc.string({unit: 'grapheme', maxLength: 60}), text => {
			expect(tokenize(text.normalize('NFKC'))).toEqual(tokenize(text));
		}),
		{seed: 1552, numRuns: 500},
	);
});

test('a query of two Chinese characters, or of a version, finds the sentence that holds it', () => {
	const sentence = new Set(tokenize('我们把部署脚本改到v2.2，明天重跑gen-itgc。'));
	for (const word of ['部署', 'v2.2', 'gen-itgc', '脚本'])
		expect(
			tokenize(word).every(token => sentence.has(token)),
			word,
		).toBe(true);
	expect(tokenize('v2.1').every(token => sentence.has(token))).toBe(false);
});
