import {createReadStream} from 'node:fs';
import {readdir, realpath, stat} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';
import {HindcastError} from '../errors.js';
import {ARCHIVE_LIMITS, type ArchiveLimits, InflateBudget, listMembers, refused} from './archive.js';
import {isGlob, parseGlob} from './glob.js';
import {headBytes, kindOfContent} from './magic.js';
import {compareParts} from './natural.js';
import type {ImportFile} from './port.js';
import {TempFolder} from './temp-folder.js';

/** Why something in a folder or an archive was passed over. */
export type SkipReason = 'empty' | 'media' | 'document' | 'other_archive' | 'same_folder' | 'not_a_file';

/** What a path led to. `given` is the argument that it came from. */
export type Opened = {readonly given: string; readonly path: string} & (
	| {
			readonly type: 'file';
			readonly file: ImportFile;
			/** The user named this very file, so it must be recognised; else a file that is no chat is skipped. */
			readonly named: boolean;
	  }
	| {
			readonly type: 'refused';
			readonly code: 'PATH_MISSING' | 'ARCHIVE_REFUSED' | 'ENCRYPTED';
			/** A clause without its subject's name, such as `its name is an absolute path`. */
			readonly reason: string;
	  }
	| {readonly type: 'skipped'; readonly reason: SkipReason}
);

/** Settings of `openPaths`; the defaults are those of the command. */
export interface OpenOptions {
	/** What `-` stands for. */
	readonly stdin?: AsyncIterable<Uint8Array>;
	/** Where the temporary folder is made. */
	readonly tempRoot?: string;
	readonly limits?: Partial<ArchiveLimits>;
}

interface Setting {
	readonly given: string;
	readonly limits: ArchiveLimits;
	readonly temp: TempFolder;
	readonly stdin: AsyncIterable<Uint8Array>;
}

/** A file on disk or in an archive that is not looked at yet. */
interface Candidate extends ImportFile {
	/** Path of a real file with this content, for reading it as a zip. */
	readonly disk: string | null;
	readonly named: boolean;
	/** Archives around it. */
	readonly nesting: number;
	readonly budget: InflateBudget | null;
}

/** Archives within an archive that are opened. */
const NESTING_MAX = 2;

/**
 * Everything that the arguments of `import` lead to: files, folders (recursive), globs, zips (one more level of zips
 * inside) and `-` for standard input. What cannot be used is yielded too, with a reason; nothing is thrown for it.
 * A file may be opened again until the iteration ends; then the temporary folder is removed, also after an error.
 * Reading a member may throw ARCHIVE_REFUSED when it inflates to more than it declared or than is allowed.
 */
export async function* openPaths(paths: readonly string[], options: OpenOptions = {}): AsyncGenerator<Opened> {
	const temp = new TempFolder(options.tempRoot);
	const limits = {...ARCHIVE_LIMITS, ...options.limits};
	try {
		for (const given of paths) {
			yield* openPath({given, limits, temp, stdin: options.stdin ?? process.stdin});
		}
	} finally {
		await temp.remove();
	}
}

async function* openPath(setting: Setting): AsyncGenerator<Opened> {
	const {given, limits} = setting;
	if (given === '-') {
		yield* spooled(setting, setting.stdin);
		return;
	}
	const info = await stat(given).catch(() => null);
	if (info?.isDirectory()) yield* openFolder(setting, given);
	else if (info?.isFile()) yield* openCandidate(setting, onDisk({path: given, bytes: info.size, named: true, limits}));
	else if (info?.isFIFO()) yield* spooled(setting, createReadStream(given));
	else if (!info && isGlob(given)) yield* openGlob(setting);
	else yield {given, path: given, type: 'refused', code: 'PATH_MISSING', reason: whyMissing(info !== null)};
}

const whyMissing = (exists: boolean): string => (exists ? 'it is no file and no folder' : 'there is no such file');

/**
 * The file that an argument names, when it is a file that must be recognised as it is; null for folders, archives that
 * can be opened, globs and streams, whose content decides later.
 * @throws PATH_MISSING, ARCHIVE_REFUSED
 */
export async function namedFile(given: string): Promise<ImportFile | null> {
	if (given === '-') return null;
	const info = await stat(given).catch(() => null);
	if (!info && !isGlob(given)) {
		throw new HindcastError('PATH_MISSING', {message: `${given} was refused: ${whyMissing(false)}.`});
	}
	if (!info?.isFile()) return null;
	const file = {path: given, bytes: info.size, open: () => createReadStream(given)};
	const head = await attempt(() => headBytes(file.open()));
	if (head instanceof HindcastError) throw refused(given, String(head.details?.reason));
	const kind = kindOfContent(head);
	if (kind === 'archive') throw refused(given, NO_ZIP);
	if (kind !== 'zip') return file;
	await listMembers(given, given, new InflateBudget(ARCHIVE_LIMITS));
	return null;
}

const NO_ZIP = 'only zip archives are opened';

/** A stream that can be read once only becomes a file that can be read twice. */
async function* spooled(setting: Setting, source: AsyncIterable<Uint8Array>): AsyncGenerator<Opened> {
	const {given, temp, limits} = setting;
	const kept = await temp.spool(source, limits.totalBytes);
	if (!kept) {
		yield {given, path: given, type: 'refused', code: 'ARCHIVE_REFUSED', reason: 'it is longer than may be kept'};
		return;
	}
	const file = onDisk({path: kept.path, bytes: kept.bytes, named: true, limits});
	yield* openCandidate(setting, {...file, path: given});
}

interface DiskFile {
	readonly path: string;
	readonly bytes: number;
	readonly named: boolean;
	readonly limits: ArchiveLimits;
}

const onDisk = ({path, bytes, named, limits}: DiskFile): Candidate => ({
	path,
	bytes,
	named,
	disk: path,
	nesting: 0,
	budget: new InflateBudget(limits),
	open: () => createReadStream(path),
});

async function* openGlob(setting: Setting): AsyncGenerator<Opened> {
	const {given} = setting;
	const glob = parseGlob(given);
	const accepts = (path: string): boolean => glob.matches(relative(glob.root, path).split(sep).join('/'));
	let found = 0;
	for await (const opened of openFolder(setting, glob.root, {hidden: glob.hidden, accepts})) {
		found += 1;
		yield opened;
	}
	if (found === 0) {
		yield {given, path: given, type: 'refused', code: 'PATH_MISSING', reason: 'no file matches this pattern'};
	}
}

interface FolderOptions {
	readonly hidden: boolean;
	accepts(path: string): boolean;
}

const EVERYTHING: FolderOptions = {hidden: false, accepts: () => true};

async function* openFolder(setting: Setting, folder: string, options = EVERYTHING): AsyncGenerator<Opened> {
	const {given, limits} = setting;
	for await (const found of walk(folder, options.hidden, new Set())) {
		if (!options.accepts(found.path)) continue;
		if (found.reason) yield {given, path: found.path, type: 'skipped', reason: found.reason};
		else yield* openCandidate(setting, onDisk({path: found.path, bytes: found.bytes, named: false, limits}));
	}
}

interface Found {
	readonly path: string;
	readonly bytes: number;
	readonly reason: SkipReason | null;
}

/** Files below a folder, in natural order of their names. A folder is entered once, whatever links lead to it. */
async function* walk(folder: string, hidden: boolean, entered: Set<string>): AsyncGenerator<Found> {
	const real = await realpath(folder).catch(() => folder);
	if (entered.has(real)) {
		yield {path: folder, bytes: 0, reason: 'same_folder'};
		return;
	}
	entered.add(real);
	const names = await readdir(folder).catch(() => []);
	for (const name of names.sort(compareParts)) {
		if (name.startsWith('.') && !hidden) continue;
		const path = join(folder, name);
		// A link to nothing gives no information.
		const info = await stat(path).catch(() => null);
		if (info?.isDirectory()) yield* walk(path, hidden, entered);
		else yield {path, bytes: info?.size ?? 0, reason: info?.isFile() ? null : 'not_a_file'};
	}
}

/** Looks at the first bytes: a zip is opened, media are passed over, the rest may be a chat. */
async function* openCandidate(setting: Setting, candidate: Candidate): AsyncGenerator<Opened> {
	const {given} = setting;
	const {path, named} = candidate;
	const head = await attempt(() => headBytes(candidate.open()));
	if (head instanceof HindcastError) {
		yield refusal(given, path, head);
		return;
	}
	const kind = kindOfContent(head);
	if (kind === 'zip') yield* openArchive(setting, candidate);
	else if (kind === 'archive' && named) {
		yield {given, path, type: 'refused', code: 'ARCHIVE_REFUSED', reason: NO_ZIP};
	} else if (kind === 'other' || named) yield {given, path, type: 'file', named, file: importFileOf(candidate)};
	else yield {given, path, type: 'skipped', reason: kind === 'archive' ? 'other_archive' : kind};
}

const importFileOf = ({path, bytes, open}: Candidate): ImportFile => ({path, bytes, open});

async function* openArchive(setting: Setting, archive: Candidate): AsyncGenerator<Opened> {
	const {given, temp, limits} = setting;
	const {path} = archive;
	if (archive.nesting >= NESTING_MAX) {
		const reason = 'archives are opened one level deep only';
		yield {given, path, type: 'refused', code: 'ARCHIVE_REFUSED', reason};
		return;
	}
	const budget = archive.budget ?? new InflateBudget(limits);
	const members = await attempt(async () => {
		// A zip is read from its end, so one inside an archive has to be unpacked first.
		const disk = archive.disk ?? (await temp.spool(archive.open(), limits.totalBytes))?.path;
		if (!disk) throw refused(path, 'it is longer than may be kept');
		return listMembers(disk, path, budget);
	});
	if (members instanceof HindcastError) {
		yield refusal(given, path, members);
		return;
	}
	for (const member of members) {
		const shown = `${path}!${member.name}`;
		if (!member.ok) yield {given, path: shown, type: 'refused', code: member.code, reason: member.reason};
		else {
			const {bytes} = member;
			const inner = {path: shown, bytes, open: member.open, named: false, disk: null};
			yield* openCandidate(setting, {...inner, nesting: archive.nesting + 1, budget});
		}
	}
}

/** The value, or the error when it is one that names what was refused. */
async function attempt<T>(work: () => Promise<T>): Promise<T | HindcastError> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof HindcastError) return error;
		// A file that may not be read is refused like one that is not there.
		const code = (error as NodeJS.ErrnoException).code;
		if (code === undefined) throw error;
		return new HindcastError('PATH_MISSING', {message: code, details: {reason: `it cannot be read (${code})`}});
	}
}

function refusal(given: string, path: string, error: HindcastError): Opened {
	const code = error.code === 'ENCRYPTED' || error.code === 'PATH_MISSING' ? error.code : 'ARCHIVE_REFUSED';
	const {reason} = error.details ?? {};
	return {given, path, type: 'refused', code, reason: typeof reason === 'string' ? reason : error.message};
}
