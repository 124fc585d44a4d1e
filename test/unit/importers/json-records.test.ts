import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {readLines} from '../../../src/importers/json-lines.js';
import {type RecordOptions, readRecords} from '../../../src/importers/json-records.js';
import type {ImportFile} from '../../../src/importers/port.js';
import {collect, memoryFile, ndjson} from './helpers.js';

const read = (content: string | Uint8Array, options: RecordOptions & {chunk?: number} = {}) =>
	collect(readRecords(memoryFile(content, {chunk: options.chunk ?? 65_536}), options));
const values = (records: Awaited<ReturnType<typeof read>>) => records.flatMap(item => (item.ok ? [item.value] : []));

describe('documents', () => {
	test('any array in chunks of any size gives its elements with their places', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.jsonValue({maxDepth: 4}), {minLength: 1}),
				fc.integer({min: 1, max: 9}),
				fc.constantFrom(0, 1, 3),
				async (items, chunk, indent) => {
					const text = JSON.stringify(items, null, indent);
					const records = await read(text, {chunk});
					expect(values(records)).toEqual(JSON.parse(text));
					const lines = text.split('\n');
					for (const [index, record] of records.entries()) {
						const line = Buffer.from(lines[record.position.line - 1] ?? '').subarray(record.position.column - 1);
						const first = JSON.stringify(items[index])?.[0] ?? '';
						expect(line.toString()[0]).toBe(first);
						expect(record.ok && record.ordinal).toBe(index);
					}
				},
			),
			{seed: 7, numRuns: 80},
		);
	});

	test('one object is one record, or the elements of the member that is asked for', async () => {
		const text = JSON.stringify({users: [{a: [1]}], conversations: [{id: 1}, {id: 2}], more: {conversations: [9]}});
		expect(values(await read(text))).toEqual([JSON.parse(text)]);
		expect(values(await read(text, {member: 'conversations', chunk: 3}))).toEqual([{id: 1}, {id: 2}]);
	});

	test.each([
		['a trailing comma in an element', '[\n {"a":1},\n {"b":2,}\n]', {line: 3, column: 9}, 1],
		['a missing comma', '[{"a":1}\n {"a":2}]', {line: 2, column: 2}, 1],
		['a bad word after 你好', '["你好", nope]', {line: 1, column: 13}, 1],
		['a raw line break in a string', '[1,"a\nb"]', {line: 1, column: 6}, 1],
		['a file that is cut', '[{"a":1},\n{"a":', {line: 2, column: 6}, 1],
		['a trailing comma in the array', '[{"a":1},{"a":2},]', {line: 1, column: 18}, 2],
	])('B114 %s: what is complete before it is kept, and the place is named', async (_name, text, position, complete) => {
		for (const chunk of [1, 5, 65_536]) {
			const records = await read(text, {chunk});
			expect(records.length).toBe(complete + 1);
			expect(records.at(-1)).toMatchObject({ok: false, problem: 'broken_json', position});
			expect(records.slice(0, -1).every(({ok}) => ok)).toBe(true);
		}
	});

	test('what follows the end of an array is an error', async () => {
		expect(await read('[1]\n oops')).toMatchObject([
			{ok: true},
			{ok: false, problem: 'broken_json', position: {line: 2}},
		]);
	});

	test('a record that is nested too deep is passed over, the rest is read', async () => {
		const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
		expect(await read(`[{"a":1},{"b":${deep}},{"a":2}]`)).toMatchObject([
			{ok: true, value: {a: 1}},
			{ok: false, problem: 'broken_line'},
			{ok: true, value: {a: 2}, ordinal: 2},
		]);
		expect(await read(`{"a":1}\n${deep}\n{"a":2}`)).toMatchObject([{ok: true}, {ok: false}, {ok: true}]);
	});

	test('one element of 8 MB is read', async () => {
		const big = 'x'.repeat(8_000_000);
		const records = await read(JSON.stringify([{text: big}, {text: 'small'}]));
		expect(values(records).map(value => (value as {text: string}).text.length)).toEqual([8_000_000, 5]);
	});
});

describe('lines', () => {
	test('B301, B302, B304, B325 broken lines are passed over one by one, with their place', async () => {
		const text = '{"a":1}\n{"cut":"in the mi\n\n   \n"another shape"\n{"a":2} trailing\n{"a":3}\n{"last":';
		expect(await read(text, {chunk: 4})).toMatchObject([
			{ok: true, value: {a: 1}, position: {line: 1}},
			{ok: false, problem: 'broken_line', position: {line: 2, column: 18}},
			{ok: true, value: 'another shape', position: {line: 5}},
			{ok: false, position: {line: 6, column: 8}},
			{ok: true, value: {a: 3}, position: {line: 7}},
			{ok: false, position: {line: 8}},
		]);
	});

	test('B117 a BOM at the start of the file and of lines is taken off', async () => {
		expect(values(await read('\uFEFF{"a":1}\r\n\uFEFF{"a":2}\r\n'))).toEqual([{a: 1}, {a: 2}]);
		expect(values(await read('\uFEFF[{"a":"é"}]', {chunk: 1}))).toEqual([{a: 'é'}]);
	});

	test('B303 a run of NUL bytes in a line is removed and told', async () => {
		const seen: unknown[] = [];
		const onRepair = (...args: unknown[]) => void seen.push(args);
		const text = `{"a":1}\n${'\0'.repeat(40)}{"a":2}\n\0\0\n{"a":3}`;
		expect(values(await read(text, {onRepair}))).toEqual([{a: 1}, {a: 2}, {a: 3}]);
		expect(seen).toEqual([['nul_removed', 42, 1]]);
	});

	test('B305 lines of many MB are read, also when the sample does not show the end of the first', async () => {
		const line = {messages: [{role: 'user', content: 'y'.repeat(3_000_000)}]};
		const records = await read(ndjson(line, {n: 2}, line));
		expect(values(records)).toEqual([line, {n: 2}, line]);
		expect(records.map(({position}) => position.line)).toEqual([1, 2, 3]);
	});

	test('a first line that is long and broken does not hide the lines after it', async () => {
		const text = `{"text":"${'z'.repeat(700_000)}" oops}\n{"a":2}\n{"a":3}`;
		const records = await read(text);
		expect(records[0]).toMatchObject({ok: false, problem: 'broken_line', position: {line: 1}});
		expect(records.slice(1)).toMatchObject([
			{value: {a: 2}, position: {line: 2}, ordinal: 1},
			{value: {a: 3}, position: {line: 3}},
		]);
	});

	test('a line over the limit is passed over', async () => {
		async function* chunks() {
			yield Buffer.from(`{"a":1}\n"${'x'.repeat(100)}`);
			yield Buffer.from('x"\n{"a":2}');
		}
		const records = await collect(readLines(chunks(), {line: 1, ordinal: 0}, 50));
		expect(records).toMatchObject([{ok: true}, {ok: false, detail: 'the line is too long'}, {ok: true, value: {a: 2}}]);
	});
});

describe('bytes', () => {
	test('invalid UTF-8 becomes U+FFFD and is counted; a real U+FFFD is not', async () => {
		const counts: number[] = [];
		const onRepair = (_kind: string, count: number) => void counts.push(count);
		const bytes = Buffer.concat([
			Buffer.from('[{"a":"\uFFFD你'),
			Buffer.from([0xff, 0xe4, 0xbd]),
			Buffer.from('b😀"},{"a":"'),
			Buffer.from([0xc3]),
			Buffer.from('"}]'),
		]);
		for (const chunk of [1, 2, 3, 65_536]) {
			counts.length = 0;
			expect(values(await read(bytes, {chunk, onRepair}))).toEqual([{a: '\uFFFD你\uFFFD\uFFFDb😀'}, {a: '\uFFFD'}]);
			expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
		}
	});

	test('any text survives any chunking', async () => {
		await fc.assert(
			fc.asyncProperty(fc.string({unit: 'grapheme'}), fc.integer({min: 1, max: 5}), async (text, chunk) => {
				expect(values(await read(JSON.stringify([text]), {chunk}))).toEqual([text]);
			}),
			{seed: 3, numRuns: 100},
		);
	});

	test('UTF-16 with a BOM, as PowerShell writes it, is read', async () => {
		const text = Buffer.from('\uFEFF[{"a":"你好😀"}]', 'utf16le');
		expect(values(await read(text, {chunk: 3}))).toEqual([{a: '你好😀'}]);
		expect(values(await read(Buffer.from(text).swap16()))).toEqual([{a: '你好😀'}]);
	});

	test('text that is no JSON gives one error', async () => {
		expect(await read('hello\nworld')).toMatchObject([
			{ok: false, problem: 'broken_json', position: {line: 1, column: 1}},
		]);
	});
});

test('B119 an array of 40 MB is read with a heap that does not grow with it', async () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const record = JSON.stringify({
		messages: Array.from({length: 20}, () => ({role: 'user', content: 'words '.repeat(80)})),
	});
	const count = Math.ceil(40_000_000 / (record.length + 1));
	const file: ImportFile = {
		path: 'large.json',
		bytes: 40_000_000,
		async *open() {
			yield Buffer.from('[');
			for (let index = 0; index < count; index += 1) yield Buffer.from(index === 0 ? record : `,${record}`);
			yield Buffer.from(']');
		},
	};
	collectGarbage();
	const before = process.memoryUsage().heapUsed;
	let most = 0;
	let seen = 0;
	for await (const {ok} of readRecords(file)) {
		seen += ok ? 1 : 0;
		if (seen % 1000 !== 0) continue;
		collectGarbage();
		most = Math.max(most, process.memoryUsage().heapUsed - before);
	}
	expect(seen).toBe(count);
	expect(most).toBeLessThan(8_000_000);
});
