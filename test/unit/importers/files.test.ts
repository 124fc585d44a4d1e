import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {type Opened, type OpenOptions, openPaths} from '../../../src/importers/files.js';
import {compareNatural} from '../../../src/importers/natural.js';
import {collect, makeZip, type ZipMember} from './helpers.js';

let root = '';
let temp = '';
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'hindcast-files-'));
	temp = join(root, '.temp');
	mkdirSync(temp);
});
afterEach(() => rmSync(root, {recursive: true, force: true}));

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);

function put(files: Record<string, string | Uint8Array>): void {
	for (const [name, content] of Object.entries(files)) {
		mkdirSync(dirname(join(root, name)), {recursive: true});
		writeFileSync(join(root, name), content);
	}
}
const zip = (name: string, members: readonly ZipMember[]): string => {
	put({[name]: makeZip(members)});
	return join(root, name);
};
const read = async (opened: Opened): Promise<string> =>
	opened.type === 'file' ? Buffer.concat(await collect(opened.file.open())).toString() : '';

/** What the paths lead to, in short: path below the root, type, reason and content. */
async function open(paths: string | string[], options: OpenOptions = {}) {
	const seen: string[][] = [];
	for await (const opened of openPaths([paths].flat(), {tempRoot: temp, ...options})) {
		const path = opened.path.replace(`${root}/`, '');
		if (opened.type === 'file') seen.push([path, opened.named ? 'named' : 'found', await read(opened)]);
		else if (opened.type === 'refused') seen.push([path, opened.code, opened.reason]);
		else seen.push([path, 'skipped', opened.reason]);
	}
	expect(readdirSync(temp)).toEqual([]);
	return seen;
}

describe('files and folders', () => {
	test('a file that is named, also a media file, is handed on as named', async () => {
		put({'a.json': '[1]', 'b.png': PNG, 'empty.json': ''});
		expect(await open([join(root, 'a.json'), join(root, 'empty.json')])).toEqual([
			['a.json', 'named', '[1]'],
			['empty.json', 'named', ''],
		]);
		expect((await open(join(root, 'b.png')))[0]?.[1]).toBe('named');
	});

	test('what is not there is refused by name', async () => {
		expect(await open([join(root, 'none.json'), join(root, '*.none')])).toEqual([
			['none.json', 'PATH_MISSING', 'there is no such file'],
			['*.none', 'PATH_MISSING', 'no file matches this pattern'],
		]);
	});

	test('B104 a folder: all files below it in natural order, hidden ones left out, media counted', async () => {
		put({
			'x/b-10.json': '10',
			'x/b-9.json': '9',
			'x/library_files.json': 'names',
			'x/B.json': 'B',
			'x/a/1.json': '1',
			'x/.hidden/h.json': 'h',
			'x/.h.json': 'h',
			'x/p.json': PNG,
			'x/é': '',
			'x/t.gz': '\x1f\x8b',
		});
		writeFileSync(join(root, 'x/t.gz'), Buffer.from([0x1f, 0x8b, 8]));
		expect(await open(join(root, 'x'))).toEqual([
			['x/library_files.json', 'found', 'names'],
			['x/B.json', 'found', 'B'],
			['x/a/1.json', 'found', '1'],
			['x/b-9.json', 'found', '9'],
			['x/b-10.json', 'found', '10'],
			['x/p.json', 'skipped', 'media'],
			['x/t.gz', 'skipped', 'other_archive'],
			['x/é', 'skipped', 'empty'],
		]);
		expect(await open(join(root, 'x/t.gz'))).toEqual([['x/t.gz', 'ARCHIVE_REFUSED', 'only zip archives are opened']]);
	});

	test('a link that leads back into the folder is not followed twice', async () => {
		put({'x/a/1.json': '1'});
		symlinkSync(join(root, 'x'), join(root, 'x/a/loop'));
		symlinkSync(join(root, 'nowhere'), join(root, 'x/dead'));
		expect(await open(join(root, 'x'))).toEqual([
			['x/a/1.json', 'found', '1'],
			['x/a/loop', 'skipped', 'same_folder'],
			['x/dead', 'skipped', 'not_a_file'],
		]);
	});

	test.each([
		['*.json', ['1.json', '22.json']],
		['?.json', ['1.json']],
		['**/*.json', ['1.json', '22.json', 'd/3.json', 'd/e/4.json']],
		['d/**', ['d/3.json', 'd/e/4.json', 'd/n.txt']],
		['d*', ['d/3.json', 'd/e/4.json', 'd/n.txt']],
		['*/3.j*', ['d/3.json']],
		['(*.json', []],
	])('glob %s', async (pattern, expected) => {
		put({'1.json': 'x', '22.json': 'x', 'd/3.json': 'x', 'd/e/4.json': 'x', 'd/n.txt': 'x', '.h.json': 'x'});
		const seen = await open(join(root, pattern));
		expect(seen.filter(([, kind]) => kind === 'found').map(([path]) => path)).toEqual(expected);
	});

	test('a file whose name has a star is a file', async () => {
		put({'a*.json': '1', 'ab.json': '2'});
		expect(await open(join(root, 'a*.json'))).toEqual([['a*.json', 'named', '1']]);
	});
});

describe('standard input', () => {
	async function* stdin() {
		yield Buffer.from('{"a":');
		const [folder] = readdirSync(temp);
		expect(statSync(join(temp, folder ?? '')).mode & 0o777).toBe(0o700);
		expect(statSync(join(temp, folder ?? '', '1')).mode & 0o777).toBe(0o600);
		yield Buffer.from('1}');
	}

	test('is kept in a file of mode 0600 that is gone at the end', async () => {
		for await (const opened of openPaths(['-'], {stdin: stdin(), tempRoot: temp})) {
			expect(opened).toMatchObject({type: 'file', path: '-', named: true});
			expect([await read(opened), await read(opened)]).toEqual(['{"a":1}', '{"a":1}']);
		}
		expect(readdirSync(temp)).toEqual([]);
	});

	test('is gone after an error too, of the reader or of the source', async () => {
		const work = async () => {
			for await (const _ of openPaths(['-'], {stdin: stdin(), tempRoot: temp})) throw new Error('reader');
		};
		await expect(work()).rejects.toThrow('reader');
		async function* broken() {
			yield Buffer.from('x');
			throw new Error('source');
		}
		await expect(open('-', {stdin: broken()})).rejects.toThrow('source');
		expect(readdirSync(temp)).toEqual([]);
	});

	test('may be a zip; too much of it is refused', async () => {
		async function* archive() {
			yield makeZip([{name: 'a.json', content: '[1]'}]);
		}
		expect(await open('-', {stdin: archive()})).toEqual([['-!a.json', 'found', '[1]']]);
		expect(await open('-', {stdin: archive(), limits: {totalBytes: 10}})).toEqual([
			['-', 'ARCHIVE_REFUSED', 'it is longer than may be kept'],
		]);
	});
});

describe('zip archives', () => {
	test('B104, B107 members in natural order, one folder deep or not; media and sidecars do not matter', async () => {
		const path = zip('export.zip', [
			{name: 'chats/conversations-10.json', content: '10'},
			{name: 'chats/image.json', content: PNG},
			{name: 'chats/', content: ''},
			{name: '__MACOSX/chats/._x', content: 'x'},
			{name: 'chats/.DS_Store', content: 'x'},
			{name: 'chats/conversations-2.json', content: '2', method: 0},
			{name: 'chats/对话.json', content: 'zh'},
		]);
		expect(await open(path)).toEqual([
			['export.zip!chats/conversations-2.json', 'found', '2'],
			['export.zip!chats/conversations-10.json', 'found', '10'],
			['export.zip!chats/image.json', 'skipped', 'media'],
			['export.zip!chats/对话.json', 'found', 'zh'],
		]);
	});

	test('a zip is told by its content, in a folder too, and a zip made by another tool is read', async () => {
		put({'x/conversations.json': '[{"messages":[]}]'});
		execFileSync('python3', ['-m', 'zipfile', '-c', join(root, 'x/backup.dat'), join(root, 'x/conversations.json')]);
		expect(await open(join(root, 'x'))).toEqual([
			['x/backup.dat!conversations.json', 'found', '[{"messages":[]}]'],
			['x/conversations.json', 'found', '[{"messages":[]}]'],
		]);
	});

	test('B118 members that lead out of the archive are refused by name, the others read', async () => {
		const names = [
			'../up.json',
			'a/../../up.json',
			'/abs.json',
			'C:\\drive.json',
			'c:drive.json',
			'..\\up.json',
			'\\abs.json',
		];
		const path = zip('evil.zip', [...names.map(name => ({name, content: 'x'})), {name: 'good.json', content: 'ok'}]);
		const seen = await open(path);
		expect(seen.filter(([, code]) => code === 'ARCHIVE_REFUSED').length).toBe(names.length);
		expect(seen.filter(([, kind]) => kind === 'found')).toEqual([['evil.zip!good.json', 'found', 'ok']]);
		expect(readdirSync(root).sort()).toEqual(['.temp', 'evil.zip']);
	});

	test('B118 bombs: declared ratio, declared size, real size', async () => {
		const zeros = Buffer.alloc(3_000_000);
		const path = zip('bomb.zip', [
			{name: '1-ratio.json', content: zeros},
			{name: '2-large.json', content: 'x', declared: 0xfffffff0},
			{name: '3-lies.json', content: 'y'.repeat(9000), declared: 10},
			{name: '4-good.json', content: 'ok'},
		]);
		const limits = {ratioFloorBytes: 1_000_000, memberBytes: 4_000_000_000};
		expect(await open(path, {limits})).toEqual([
			['bomb.zip!1-ratio.json', 'ARCHIVE_REFUSED', expect.stringMatching(/times its packed size/)],
			['bomb.zip!2-large.json', 'ARCHIVE_REFUSED', 'it declares more bytes than a member may hold'],
			['bomb.zip!3-lies.json', 'ARCHIVE_REFUSED', 'it inflates beyond its declared size'],
			['bomb.zip!4-good.json', 'found', 'ok'],
		]);
	});

	test('B118 a member that lies only after its beginning fails while it is read, by name', async () => {
		const path = zip('late.zip', [{name: 'a.json', content: 'z'.repeat(400_000), declared: 300_000}]);
		await expect(open(path)).rejects.toMatchObject({
			code: 'ARCHIVE_REFUSED',
			message: `${path}!a.json was refused: it inflates beyond its declared size.`,
		});
		expect(readdirSync(temp)).toEqual([]);
	});

	test('B118 the total of all members is bounded; reading one twice counts once', async () => {
		const members = ['a', 'b', 'c'].map(name => ({name, content: 'q'.repeat(1000)}));
		const path = zip('total.zip', members);
		expect((await open(path, {limits: {totalBytes: 3000}})).length).toBe(3);
		expect((await open(path, {limits: {totalBytes: 2600}})).map(([, kind]) => kind)).toEqual([
			'found',
			'found',
			'ARCHIVE_REFUSED',
		]);
		expect(await open(path, {limits: {members: 2}})).toEqual([
			['total.zip', 'ARCHIVE_REFUSED', 'holds more than 2 members'],
		]);
	});

	test('encrypted members and unknown compression are refused by name', async () => {
		const path = zip('locked.zip', [
			{name: 'a.json', content: 'x', flags: 0x801},
			{name: 'b.json', content: 'x', method: 9},
		]);
		expect(await open(path)).toEqual([
			['locked.zip!a.json', 'ENCRYPTED', 'it is encrypted'],
			['locked.zip!b.json', 'ARCHIVE_REFUSED', 'its compression method 9 is not read'],
		]);
	});

	test('B412 a zip in a zip is opened, one level deep; deeper ones are refused by name', async () => {
		const deepest = makeZip([{name: 'deep.json', content: 'x'}]);
		const inner = makeZip([
			{name: `${'long title '.repeat(30)}.json`, content: 'in'},
			{name: 'z.zip', content: deepest},
		]);
		const seen = await open(
			zip('outer.zip', [
				{name: 'inner.zip', content: inner},
				{name: 'plain.json', content: 'p'},
			]),
		);
		expect(seen.map(([path = '', ...rest]) => [path.replace(/long.*(?=\.json)/, 'long'), ...rest])).toEqual([
			['outer.zip!inner.zip!long.json', 'found', 'in'],
			['outer.zip!inner.zip!z.zip', 'ARCHIVE_REFUSED', 'archives are opened one level deep only'],
			['outer.zip!plain.json', 'found', 'p'],
		]);
	});

	test('a broken archive is refused by name', async () => {
		const whole = makeZip([{name: 'a.json', content: 'x'}]);
		put({'cut.zip': whole.subarray(0, whole.length - 30)});
		expect(await open(join(root, 'cut.zip'))).toMatchObject([
			['cut.zip', 'ARCHIVE_REFUSED', expect.stringMatching(/cannot be read/)],
		]);
	});

	test('files stay readable until the end, whatever was opened in between', async () => {
		const inner = makeZip([{name: 'a.json', content: 'A'}]);
		const path = zip('x.zip', [
			{name: 'i.zip', content: inner},
			{name: 'b.json', content: 'B'},
		]);
		const all: Opened[] = [];
		let texts: string[] = [];
		for await (const opened of openPaths([path, join(root, 'x.zip')], {tempRoot: temp})) {
			all.push(opened);
			texts = await Promise.all(all.map(read));
		}
		expect(texts).toEqual(['B', 'A', 'B', 'A']);
	});
});

test('natural order', () => {
	const names = [
		'a-10',
		'a-2',
		'a-02',
		'a',
		'b-1',
		'a-2-x',
		'A-3',
		'10',
		'9',
		'100000000000000000001',
		'100000000000000000000',
	];
	expect([...names].sort(compareNatural)).toEqual([
		...['9', '10', '100000000000000000000', '100000000000000000001'],
		...['A-3', 'a', 'a-02', 'a-2', 'a-2-x', 'a-10', 'b-1'],
	]);
});
