import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {stripGroups, stripMarks} from '../../../src/importers/chatgpt-text.js';

describe('marks of citations', () => {
	test.each([
		['a citation', 'Yes. \uE200cite\uE202turn0search1\uE202turn0search3\uE201', 'Yes. ', 1],
		[
			'B212 words between highlight marks stay',
			'The \uE203diode is reversed\uE204\uE206.',
			'The diode is reversed.',
			3,
		],
		['B212 broken marks', 'a\uE200b\uE203c\uE206d', 'abcd', 3],
		['the name of an entity', 'by \uE200entity\uE202["people","Ana Roe",0]\uE201.', 'by Ana Roe.', 1],
		['an entity without a list', '\uE200entity\uE202plain\uE201 \uE200entity\uE202{"a":1}\uE201', 'plain ', 2],
		['the title of a link', '\uE200url\uE202Open Site\uE202turn0search1\uE201', 'Open Site', 1],
		['pictures', '\uE200image_group\uE202{"query":["cat"]}\uE201ok', 'ok', 1],
		['a reference alone', 'x\uE202turn12news3 y', 'x y', 1],
		['marks that lost their characters', 'Yes.citeturn0search1turn0view2 No.filecite', 'Yes. No.filecite', 1],
		['brackets', '是的【1†source】,见【4:0†笔记.pdf】【8†L12-L20】。', '是的,见。', 3],
		['brackets of a person', '【注】【1】【重要†】', '【注】【1】【重要†】', 0],
		['nothing', 'plain 文字 👩‍👩‍👧', 'plain 文字 👩‍👩‍👧', 0],
	])('%s', (_name, text, expected, marks) => {
		expect(stripMarks(text)).toEqual({text: expected, marks});
	});

	test('of a person only whole groups are taken, since the rest may be meant', () => {
		expect(stripGroups('a\uE200cite\uE202turn0search1\uE201 citeturn0search1 【1†source】 \uE203')).toEqual({
			text: 'a citeturn0search1 【1†source】 \uE203',
			marks: 1,
		});
	});

	test('no mark is left, whatever the text is', () => {
		const piece = fc.constantFrom(
			'\uE200',
			'\uE201',
			'\uE202',
			'\uE203',
			'cite',
			'turn0search1',
			'entity',
			'["a","b"]',
			' 字',
		);
		fc.assert(
			fc.property(fc.array(piece), pieces => {
				expect(stripMarks(pieces.join('')).text).not.toMatch(/[\uE200-\uE206]/);
			}),
		);
	});
});
