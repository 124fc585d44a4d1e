import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {buildTree, type TreeNode} from '../../../src/importers/tree.js';

const node = (id: string, parent: string | null | undefined, created_at: number | null = null): TreeNode => ({
	id,
	parent,
	created_at,
});
const ids = (nodes: readonly TreeNode[], indices: readonly number[]) => indices.map(index => nodes[index]?.id).join('');
function built(nodes: readonly TreeNode[], current: string | null = null) {
	const tree = buildTree(nodes, current);
	return {...tree, order: ids(nodes, tree.order), path: ids(nodes, tree.path)};
}

describe('the current path', () => {
	const fork = [node('a', null, 1), node('b', 'a', 2), node('c', 'a', 3), node('d', 'b', 9), node('e', 'c', 4)];

	test('ends in the leaf that the export names', () => {
		expect(built(fork, 'e')).toMatchObject({path: 'ace', order: 'abcde', dangling: 0, cycles: 0});
		expect(built(fork, 'b').path).toBe('ab');
	});

	test('B223 ends in the newest leaf when none is named or it is not there; of equal ones the last', () => {
		expect(built(fork).path).toBe('abd');
		expect(built(fork, 'gone').path).toBe('abd');
		expect(built(fork.map(item => ({...item, created_at: 5}))).path).toBe('ace');
		expect(built(fork.map(item => ({...item, created_at: null}))).path).toBe('ace');
	});

	test('a leaf without a time is as old as its nearest ancestor', () => {
		const nodes = [node('a', null, 1), node('b', 'a', 9), node('c', 'a', 5), node('d', 'b', null)];
		expect(built(nodes).path).toBe('abd');
	});

	test('children that stand before their parents: depth first', () => {
		const nodes = [node('d', 'b', 4), node('b', 'a', 2), node('a', null, 1), node('c', 'a', 3)];
		expect(built(nodes)).toMatchObject({order: 'abdc', path: 'abd'});
	});

	test('a node that names no parent follows the one before it', () => {
		expect(built([node('a', undefined), node('b', undefined), node('c', 'a', 1)], 'b').path).toBe('ab');
	});

	test('no node at all', () => {
		expect(built([])).toMatchObject({order: '', path: ''});
	});
});

describe('what is broken', () => {
	test('first messages that answer a root which is not exported are roots, without a complaint', () => {
		const nodes = [node('a', 'ROOT', 1), node('b', 'a', 2), node('A', 'ROOT', 3), node('B', 'A', 4)];
		expect(built(nodes)).toMatchObject({path: 'AB', dangling: 0});
	});

	test('a parent that is missing in the midst: the line goes on from the node before', () => {
		const nodes = [node('a', null, 1), node('b', 'a', 2), node('c', 'gone', 3), node('d', 'c', 4)];
		expect(built(nodes)).toMatchObject({path: 'abcd', dangling: 1});
	});

	test('B207 a circle is cut, starting from the leaf that is current', () => {
		const nodes = [node('a', 'c', 1), node('b', 'a', 2), node('c', 'b', 3)];
		expect(built(nodes, 'c')).toMatchObject({path: 'abc', order: 'abc', cycles: 1});
		expect(built([node('a', 'a', 1)])).toMatchObject({path: 'a', cycles: 1});
	});

	test('B208 without a root and without a pointer the start is the same each time', () => {
		const nodes = [node('a', 'd', 1), node('b', 'a', 2), node('c', 'b', 3), node('d', 'c', 4)];
		expect(built(nodes)).toMatchObject({path: 'abcd', order: 'abcd', cycles: 1});
	});

	test('B214 a chain of 50,000 nodes, and as many children of one node', () => {
		const chain = Array.from({length: 50_000}, (_, i) => node(String(i), i === 0 ? null : String(i - 1), i));
		expect(buildTree(chain, null).path.length).toBe(50_000);
		expect(buildTree([...chain].reverse(), null).path.length).toBe(50_000);
		const star = chain.map((item, i) => ({...item, parent: i === 0 ? null : '0'})).reverse();
		expect(buildTree(star, null)).toMatchObject({path: {length: 2}, order: {length: 50_000}});
	});

	test('whatever the parents are, each node comes once, after its parent, and the path is a path', () => {
		const parent = fc.option(fc.option(fc.integer({min: 0, max: 12}).map(String)), {nil: undefined});
		const nodes = fc.array(fc.record({parent, created_at: fc.option(fc.integer({min: 0, max: 9}))}), {maxLength: 12});
		fc.assert(
			fc.property(nodes, fc.option(fc.integer({min: 0, max: 14}).map(String)), (list, current) => {
				const tree = buildTree(
					list.map((item, index) => ({...item, id: String(index)})),
					current,
				);
				expect([...tree.order].sort((a, b) => a - b)).toEqual([...list.keys()]);
				const places = new Map(tree.order.map((index, place) => [index, place]));
				for (const [index, above] of tree.parents.entries()) {
					if (above !== null) expect(places.get(above)).toBeLessThan(places.get(index) ?? -1);
				}
				for (const [place, index] of tree.path.entries()) {
					expect(tree.parents[index]).toBe(place === 0 ? null : tree.path[place - 1]);
				}
				expect(tree.path.length > 0).toBe(list.length > 0);
			}),
		);
	});
});
