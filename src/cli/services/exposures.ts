import type {ShownExposure} from '../../report/demo-report.js';
import {type SessionFlags, withStore} from '../session.js';

/** Every exposure with the text of its target, for a report. */
export const readExposures = (flags: SessionFlags): Promise<ShownExposure[]> =>
	withStore(flags, {}, async store => {
		const rows = await store.db.all(
			`SELECT e.arm, e.line, e.target_id, m.text AS target_text, e.cutoff, e.decision, e.pool, e.reason, e.n_candidates,
				e.segs, e.segments
			FROM exposures e JOIN messages m ON m.message_id = e.target_id
			ORDER BY e.line, e.cutoff, e.target_id, e.arm`,
		);
		const sources = await store.db.all<{beat_id: string; message_id: string; char_start: number; char_end: number}>(
			`SELECT b.beat_id, b.message_id, b.char_start, b.char_end FROM beats b WHERE b.verification <> 'none' ORDER BY b.beat_id`,
		);
		const sourceOf = new Map(sources.map(row => [row.beat_id, `${row.message_id} ${row.char_start}–${row.char_end}`]));
		return rows.map(row => {
			const segments = row.segments as {card_id: string; beat_ids: string[]; text: string}[];
			return {
				...row,
				segments: segments.map(segment => ({
					...segment,
					sources: segment.beat_ids.map(id => sourceOf.get(id) ?? '?'),
				})),
			} as unknown as ShownExposure;
		});
	});
