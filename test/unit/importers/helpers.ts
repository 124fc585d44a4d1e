import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {deflateRawSync} from 'node:zlib';
import {type Instant, parseTime} from '../../../src/core/time.js';
import type {Draft, ImportContext, Importer, ImportFile} from '../../../src/importers/port.js';

const here = dirname(fileURLToPath(import.meta.url));

/** Path of a fixture of this folder's tests. */
export const fixture = (name: string): string => join(here, '../../fixtures/importers', name);

/** A file that lives in memory, handed out in chunks of the given size. */
export function memoryFile(content: string | Uint8Array, {path = 'memory.json', chunk = 65_536} = {}): ImportFile {
	const bytes = Buffer.from(content);
	return {
		path,
		bytes: bytes.length,
		async *open() {
			for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
		},
	};
}

export const ndjson = (...records: unknown[]): string => records.map(record => JSON.stringify(record)).join('\n');

/** A context that keeps what it is told. */
export function recordingContext(zone = 'UTC') {
	const warnings: {kind: string; where: string; detail: string | undefined}[] = [];
	const skips: string[] = [];
	const context: ImportContext = {
		time(value: unknown, where: string): Instant | null {
			if (value === undefined || value === null) return null;
			const parsed = parseTime(value, zone);
			if (!parsed) warnings.push({kind: 'bad_time', where, detail: String(value)});
			return parsed?.at ?? null;
		},
		warn: (kind, where, detail) => void warnings.push({kind, where, detail}),
		skip: reason => void skips.push(reason),
		fileNames: new Map(),
	};
	return {context, warnings, skips, kinds: () => warnings.map(({kind}) => kind)};
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
	const all: T[] = [];
	for await (const item of items) all.push(item);
	return all;
}

/** Everything that an importer makes of a content. */
export async function importText(importer: Importer, content: string | Uint8Array, zone = 'UTC') {
	const recorder = recordingContext(zone);
	const drafts: Draft[] = await collect(importer.read(memoryFile(content), recorder.context));
	const conversations = drafts.filter(draft => draft.type === 'conversation');
	const questions = drafts.filter(draft => draft.type === 'question');
	return {...recorder, drafts, conversations, questions};
}

/** A member of a zip made by `makeZip`; the fields after `content` let a test lie. */
export interface ZipMember {
	readonly name: string;
	readonly content: string | Uint8Array;
	readonly declared?: number;
	readonly packed?: Uint8Array;
	readonly flags?: number;
	readonly method?: number;
}

/** A zip, written by hand so that its headers may say what no honest tool writes. */
export function makeZip(members: readonly ZipMember[]): Buffer {
	const locals: Buffer[] = [];
	const central: Buffer[] = [];
	let offset = 0;
	for (const {name, content, declared, packed, flags = 0x800, method = 8} of members) {
		const raw = Buffer.from(content);
		const data = packed ? Buffer.from(packed) : method === 8 ? deflateRawSync(raw) : raw;
		const nameBytes = Buffer.from(name);
		const fields = Buffer.alloc(26);
		fields.writeUInt16LE(20, 0);
		fields.writeUInt16LE(flags, 2);
		fields.writeUInt16LE(method, 4);
		fields.writeUInt32LE(data.length, 14);
		fields.writeUInt32LE(declared ?? raw.length, 18);
		fields.writeUInt16LE(nameBytes.length, 22);
		locals.push(Buffer.from([0x50, 0x4b, 3, 4]), fields, nameBytes, data);
		const tail = Buffer.alloc(14);
		tail.writeUInt32LE(offset, 10);
		central.push(Buffer.from([0x50, 0x4b, 1, 2, 20, 3]), fields, tail, nameBytes);
		offset += 30 + nameBytes.length + data.length;
	}
	const directory = Buffer.concat(central);
	const end = Buffer.alloc(22);
	end.writeUInt32LE(0x06054b50, 0);
	end.writeUInt16LE(members.length, 8);
	end.writeUInt16LE(members.length, 10);
	end.writeUInt32LE(directory.length, 12);
	end.writeUInt32LE(offset, 16);
	return Buffer.concat([...locals, directory, end]);
}

/** The shared benchmark folder, or null where it is not there. */
export function benchFolder(): string | null {
	const candidates = [process.env.HINDCAST_BENCH, join(here, '../../../../shared/bench')];
	return candidates.find(path => path !== undefined && path !== '' && existsSync(path)) ?? null;
}

/** The LoCoMo file beside it, or null. */
export function locomoFile(): string | null {
	const folder = benchFolder();
	const path = folder === null ? null : join(folder, '../data/locomo/locomo-dev.json');
	return path !== null && existsSync(path) ? path : null;
}
