import {contentId, shaOf} from '../../core/ids.js';
import {packageVersion} from '../../core/package-root.js';
import type {Clock} from '../../ports/clock.js';
import type {RunStore} from '../../ports/store.js';
import type {Database} from '../duckdb.js';

/** A row an invocation of a stage. */
export const runStore = (db: Database, clock: Clock): RunStore => ({
	async startRun(record) {
		const startedAt = clock.now();
		// The writer's lock is ours, so a run that still says "running" was killed.
		await db.run("UPDATE runs SET status = 'interrupted' WHERE status = 'running'");
		const before = await db.one<{runs: number}>('SELECT count(*) AS runs FROM runs');
		const run_id = contentId('r', record.stage, startedAt, process.pid, before?.runs ?? 0);
		await db.insert('runs', [
			{
				run_id,
				...record,
				config_sha: shaOf(record.params),
				code_version: packageVersion(),
				started_at: startedAt,
				status: 'running',
			},
		]);
		return run_id;
	},
	async finishRun(runId, status, counts, error) {
		await db.run('UPDATE runs SET status = ?, counts = ?, error = ?, finished_at = ? WHERE run_id = ?', [
			status,
			JSON.stringify(counts),
			error,
			{instant: clock.now()},
			runId,
		]);
	},
});
