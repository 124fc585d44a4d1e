import {copyFileSync, existsSync, statSync} from 'node:fs';
import {chmod} from 'node:fs/promises';
import {canonicalJson} from '../../core/json.js';
import {formatInstant} from '../../core/time.js';
import {HindcastError} from '../../errors.js';
import type {Finding} from '../../ports/store.js';
import {check} from '../../stages/check/check.js';
import {exportTable} from '../../store/export.js';
import {tableCounts} from '../../store/info.js';
import {checkStore} from '../../store/queries/check.js';
import {systemClock} from '../ports.js';
import type {ServiceResult} from '../result.js';
import {type SessionFlags, table, withStore} from '../session.js';

/** Findings shown to people; --json has all. */
const FINDINGS_SHOWN = 20;

/** `hindcast db check` */
export const runCheck = (flags: SessionFlags): Promise<ServiceResult> =>
	withStore(flags, {}, async store => {
		const findings: Finding[] = [];
		for await (const finding of check(checkStore(store.db), store.zone)) findings.push(finding);
		const byKind: Record<string, number> = {};
		for (const {kind} of findings) byKind[kind] = (byKind[kind] ?? 0) + 1;
		const lines = findings.slice(0, FINDINGS_SHOWN).map(({kind, where, detail}) => `${kind}  ${where}  ${detail}`);
		const more = findings.length > FINDINGS_SHOWN ? [`… and ${findings.length - FINDINGS_SHOWN} more (--json)`] : [];
		return {
			json: {findings, by_kind: byKind},
			text: findings.length === 0 ? 'No findings.' : [`${findings.length} findings`, ...lines, ...more].join('\n'),
			exit: findings.length === 0 ? 0 : 4,
		};
	});

/** `hindcast db info` */
export const runInfo = (flags: SessionFlags): Promise<ServiceResult> =>
	withStore(flags, {}, async store => {
		const meta = await store.db.all<{key: string; value: string}>('SELECT key, value FROM meta ORDER BY key');
		const counts = await tableCounts(store.db);
		const bytes = statSync(flags.db).size;
		const fingerprints = await store.db.all<{fingerprint: string; vectors: number}>(
			'SELECT fingerprint, count(*) AS vectors FROM embeddings GROUP BY fingerprint ORDER BY fingerprint',
		);
		const lines = await store.db.all<{line: string; conversations: number}>(
			'SELECT line, count(*) AS conversations FROM conversations GROUP BY line ORDER BY line',
		);
		const sets = await store.cardSets();
		return {
			json: {
				path: flags.db,
				bytes,
				meta: Object.fromEntries(meta.map(({key, value}) => [key, value])),
				tables: counts,
				lines,
				card_sets: sets,
				fingerprints,
			},
			text: table([
				['file', `${flags.db}, ${bytes} bytes`],
				...meta.map(({key, value}) => [key, value] as [string, string]),
				...Object.entries(counts),
				['lines', lines.length],
				...sets.map(
					set =>
						[`card set ${set.card_set_id}`, `${set.kind} ${set.maker} ${canonicalJson(set.params)}`] as [
							string,
							string,
						],
				),
				...fingerprints.map(({fingerprint, vectors}) => [`vectors of ${fingerprint}`, vectors] as [string, number]),
			]),
			exit: 0,
		};
	});

export interface BackupFlags extends SessionFlags {
	readonly out?: string | undefined;
}

/** `hindcast db backup`: a consistent copy, mode 0600, never over an existing file. */
export const runBackup = (flags: BackupFlags): Promise<ServiceResult> =>
	withStore(flags, {}, async store => {
		const stamp = formatInstant(systemClock.now()).replaceAll(/[-:]|\.\d+/g, '');
		const out = flags.out ?? `${flags.db}.backup-${stamp}`;
		if (existsSync(out)) throw new HindcastError('BACKUP_EXISTS', {message: `${out} is there already.`});
		// The writer's lock is held, and the log is folded into the file first, so the copy is whole.
		await store.db.run('CHECKPOINT');
		copyFileSync(flags.db, out);
		await chmod(out, 0o600);
		return {json: {backup: out, bytes: statSync(out).size}, text: `Copied to ${out}.`, exit: 0};
	});

export interface ExportFlags extends SessionFlags {
	readonly ndjson: string;
	readonly 'all-columns': boolean;
}

/** `hindcast db export --ndjson TABLE`: rows on stdout, sorted by id, so that two runs can be compared by bytes. */
export const runExport = (flags: ExportFlags, write: (text: string) => Promise<void>): Promise<ServiceResult> =>
	withStore(flags, {}, async store => {
		let rows = 0;
		for await (const line of exportTable(store.db, flags.ndjson, flags['all-columns'])) {
			await write(`${line}\n`);
			rows++;
		}
		return {json: {table: flags.ndjson, rows}, text: '', exit: 0};
	});
