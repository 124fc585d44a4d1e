import yauzl from 'yauzl';
import {HindcastError} from '../errors.js';
import {compareParts} from './natural.js';

/** What an archive may cost before it is refused as a bomb. */
export interface ArchiveLimits {
	/** Declared size of a member over its packed size, above `ratioFloorBytes`. */
	readonly ratio: number;
	readonly ratioFloorBytes: number;
	/** Bytes that one member may inflate to. */
	readonly memberBytes: number;
	/** Bytes that all members of one archive, nested ones included, may inflate to. */
	readonly totalBytes: number;
	readonly members: number;
}

const MIB = 1024 * 1024;
/** Deflate reaches 1032:1; text of chats stays below 20:1, so 200:1 over a large size is no chat. */
export const RATIO_MAX = 200;
export const RATIO_FLOOR_BYTES = 64 * MIB;
export const MEMBER_BYTES_MAX = 8 * 1024 * MIB;
export const TOTAL_BYTES_MAX = 16 * 1024 * MIB;
export const MEMBERS_MAX = 250_000;

export const ARCHIVE_LIMITS: ArchiveLimits = {
	ratio: RATIO_MAX,
	ratioFloorBytes: RATIO_FLOOR_BYTES,
	memberBytes: MEMBER_BYTES_MAX,
	totalBytes: TOTAL_BYTES_MAX,
	members: MEMBERS_MAX,
};

/** Counts what was really inflated of one archive; reading a member again costs nothing. */
export class InflateBudget {
	readonly limits: ArchiveLimits;
	readonly #high = new Map<string, number>();
	#total = 0;

	constructor(limits: ArchiveLimits) {
		this.limits = limits;
	}

	/** @throws ARCHIVE_REFUSED when a limit is passed */
	spend(path: string, bytesOfMember: number): void {
		const before = this.#high.get(path) ?? 0;
		if (bytesOfMember <= before) return;
		this.#high.set(path, bytesOfMember);
		this.#total += bytesOfMember - before;
		if (bytesOfMember > this.limits.memberBytes) throw refused(path, 'inflates to more than a member may hold');
		if (this.#total > this.limits.totalBytes) throw refused(path, 'the archive inflates to more than it may hold');
	}
}

/** A member that may be read, or the reason why it may not. */
export type Member =
	| {
			readonly ok: true;
			readonly name: string;
			readonly bytes: number;
			open(): AsyncIterable<Uint8Array>;
	  }
	| {
			readonly ok: false;
			readonly name: string;
			readonly code: 'ARCHIVE_REFUSED' | 'ENCRYPTED';
			readonly reason: string;
	  };

const OPTIONS = {lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true} as const;

/**
 * The members of a zip, folders and hidden files left out, in natural order of their names.
 * @param shown the path that messages give for the archive
 * @throws ARCHIVE_REFUSED when it cannot be read or holds too many members
 */
export async function listMembers(path: string, shown: string, budget: InflateBudget): Promise<Member[]> {
	const members: Member[] = [];
	for (const [index, entry] of (await readDirectory(path, shown, budget.limits)).entries()) {
		const name = nameOf(entry);
		if (name.endsWith('/') || isHidden(name)) continue;
		const problem = problemOf(name, entry, budget.limits);
		// Names may repeat, so the index tells members apart in the budget.
		const open = (): AsyncIterable<Uint8Array> => inflate({path, entry, shown: `${shown}!${name}`, index, budget});
		members.push(problem ? {ok: false, name, ...problem} : {ok: true, name, bytes: entry.uncompressedSize, open});
	}
	return members.sort((a, b) => compareParts(a.name, b.name));
}

async function readDirectory(path: string, shown: string, limits: ArchiveLimits): Promise<yauzl.Entry[]> {
	const entries: yauzl.Entry[] = [];
	try {
		const zip = await yauzl.openPromise(path, OPTIONS);
		try {
			if (zip.entryCount > limits.members) throw refused(shown, `holds more than ${limits.members} members`);
			for await (const entry of zip.eachEntry()) entries.push(entry);
		} finally {
			zip.close();
		}
	} catch (error) {
		throw asRefusal(error, shown);
	}
	return entries;
}

/** The name with `/` between its parts. Old zips hold CP437, which yauzl reads. */
function nameOf(entry: yauzl.Entry): string {
	const name = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
	return name.replaceAll('\\', '/');
}

const isHidden = (name: string): boolean =>
	name.split('/').some(part => part === '__MACOSX' || (part.startsWith('.') && part !== '.' && part !== '..'));

/** Why a member is refused before anything of it is read. */
function problemOf(
	name: string,
	entry: yauzl.Entry,
	limits: ArchiveLimits,
): {code: 'ARCHIVE_REFUSED' | 'ENCRYPTED'; reason: string} | null {
	const no = (reason: string): {code: 'ARCHIVE_REFUSED'; reason: string} => ({code: 'ARCHIVE_REFUSED', reason});
	if (name.includes('\0') || name === '') return no('its name is not a file name');
	if (name.startsWith('/') || /^[a-z]:/i.test(name)) return no('its name is an absolute path');
	if (name.split('/').includes('..')) return no('its name leads out of the archive');
	if (entry.isEncrypted()) return {code: 'ENCRYPTED', reason: 'it is encrypted'};
	const {uncompressedSize: size, compressedSize: packed, compressionMethod: method} = entry;
	if (method !== 0 && method !== 8) return no(`its compression method ${method} is not read`);
	if (size > limits.memberBytes) return no('it declares more bytes than a member may hold');
	if (size > limits.ratioFloorBytes && size > packed * limits.ratio) {
		return no(`it declares ${Math.round(size / Math.max(1, packed))} times its packed size`);
	}
	return null;
}

interface InflateJob {
	readonly path: string;
	readonly entry: yauzl.Entry;
	readonly shown: string;
	readonly index: number;
	readonly budget: InflateBudget;
}

/** The zip is opened anew for each reading, so that no handle outlives it. */
async function* inflate({path, entry, shown, index, budget}: InflateJob): AsyncGenerator<Uint8Array> {
	let zip: yauzl.ZipFile | null = null;
	let seen = 0;
	try {
		zip = await yauzl.openPromise(path, OPTIONS);
		const stream = await zip.openReadStreamPromise(entry);
		for await (const chunk of stream as AsyncIterable<Uint8Array>) {
			seen += chunk.length;
			budget.spend(`${shown}#${index}`, seen);
			yield chunk;
		}
	} catch (error) {
		throw asRefusal(error, shown);
	} finally {
		zip?.close();
	}
}

/** The error for an archive or a member that is not read, naming it and the reason. */
export const refused = (path: string, reason: string): HindcastError =>
	new HindcastError('ARCHIVE_REFUSED', {
		message: `${path.replace(/#\d+$/, '')} was refused: ${reason}.`,
		details: {reason},
	});

function asRefusal(error: unknown, shown: string): HindcastError {
	if (error instanceof HindcastError) return error;
	const message = error instanceof Error ? error.message : String(error);
	if (/encrypt/i.test(message)) {
		return new HindcastError('ENCRYPTED', {message: `${shown} is encrypted.`, details: {reason: 'it is encrypted'}});
	}
	if (/too many bytes/.test(message)) return refused(shown, 'it inflates beyond its declared size');
	return refused(shown, `it cannot be read (${message})`);
}
