import type {Question} from '../../domain/conversation.js';
import type {Exposure} from '../../domain/exposure.js';
import type {KnownExposure, LineMessage, MessageTarget, ReplayStore} from '../../ports/store.js';
import type {Database} from '../duckdb.js';
import {NOT_BLANK, SHOWN} from './extract.js';
import {deleteByIds, idList} from './sql.js';

/** What `recall` and `replay` read of the messages, and the exposures that they write. */
export const replayStore = (db: Database): ReplayStore => ({
	async addArm({arm_sha, name, config}) {
		const there = await db.one('SELECT 1 FROM arms WHERE arm_sha = ?', [arm_sha]);
		if (!there) await db.insert('arms', [{arm_sha, name, config}]);
	},
	messageTargets: () =>
		db.stream(
			`SELECT m.* EXCLUDE (raw), c.line, c.kind FROM messages m JOIN conversations c USING (conversation_id)
			WHERE ${SHOWN} AND ${NOT_BLANK} AND NOT c.do_not_remember
			ORDER BY c.line, m.created_at NULLS LAST, m.conversation_id, m.seq`,
		) as AsyncIterable<unknown> as AsyncIterable<MessageTarget>,
	questions: async () =>
		(await db.all('SELECT * FROM questions ORDER BY line, asked_at NULLS LAST, question_id')) as unknown as Question[],
	lineMessages: async line =>
		(await db.all(
			`SELECT m.conversation_id, m.seq, m.text, m.created_at FROM messages m JOIN conversations c USING (conversation_id)
			WHERE c.line = ? AND ${SHOWN} AND ${NOT_BLANK} AND NOT c.do_not_remember
			ORDER BY m.conversation_id, m.seq`,
			[line],
		)) as unknown as LineMessage[],
	async exposures(armSha, repeat) {
		const rows = await db.all(
			`SELECT exposure_id, state_sha, delivered_ids, pool, reason, ranked_sources FROM exposures
			WHERE arm_sha = ? AND repeat = ? ORDER BY exposure_id`,
			[armSha, repeat],
		);
		return new Map(rows.map(row => [row.exposure_id as string, row as unknown as KnownExposure]));
	},
	saveExposures: (exposures, runId) =>
		db.transaction(async () => {
			const ids = [...exposures.map(exposure => exposure.exposure_id), ...(await outdated(db, exposures))];
			await deleteByIds(db, 'exposure_candidates', 'exposure_id', ids);
			await deleteByIds(db, 'exposures', 'exposure_id', ids);
			await db.insert(
				'exposures',
				exposures.map(({candidates: _, ...exposure}) => ({...exposure, run_id: runId})),
			);
			await db.insert(
				'exposure_candidates',
				exposures.flatMap(({exposure_id, candidates}) => candidates.map(candidate => ({exposure_id, ...candidate}))),
			);
		}),
});

/** Exposures of the same arm, target and repeat under another cutoff: a newer export has moved the target. */
async function outdated(db: Database, exposures: readonly Exposure[]): Promise<string[]> {
	const [first] = exposures;
	if (!first) return [];
	const rows = await db.all<{exposure_id: string}>(
		`SELECT exposure_id FROM exposures WHERE arm_sha = ? AND repeat = ?
		AND target_id IN (${idList(exposures.map(exposure => exposure.target_id))}) ORDER BY exposure_id`,
		[first.arm_sha, first.repeat],
	);
	return rows.map(row => row.exposure_id);
}
