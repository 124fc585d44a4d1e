import type {Judge, Verdict} from '../../models/tasks.js';
import {JUDGE_OVERLAP_MIN, JUDGE_Z_MIN} from './constants.js';

/** The judge's labels as it writes them (seed 1, 判官), by the canonical ones. */
export const WIRE_LABELS = {useful: '有用', none: '没用', harmful: '有害'} as const;

/** What is wrong with a verdict over `count` segments, whoever gave it; null when it may be acted on. */
export function verdictProblem({label, segs}: Verdict, count: number): string | null {
	if (!Object.hasOwn(WIRE_LABELS, label)) return 'unknown_label';
	if (label !== 'useful') return segs.length === 0 ? null : 'segments_without_use';
	if (segs.length === 0) return 'no_segment';
	if (segs.some(seg => !Number.isInteger(seg) || seg < 1 || seg > count)) return 'segment_out_of_range';
	return new Set(segs).size === segs.length ? null : 'segment_repeated';
}

/**
 * Without a model: a segment is useful when its words cover enough of the target's rare words, or when its best beat
 * stands out enough by cosine. Never harmful.
 */
export const baselineJudge: Judge = {
	id: 'threshold/1',
	promptSha: null,
	isLanguageModel: false,
	async judge({segments}) {
		const segs = segments.flatMap(({overlap, z}, i) =>
			overlap >= JUDGE_OVERLAP_MIN || z >= JUDGE_Z_MIN ? [i + 1] : [],
		);
		const label = segs.length > 0 ? 'useful' : 'none';
		return {ok: true, value: {label, wire: WIRE_LABELS[label], segs} satisfies Verdict};
	},
};

/** Delivers everything: the judge turned off. */
export const openJudge: Judge = {
	id: 'open/1',
	promptSha: null,
	isLanguageModel: false,
	async judge({segments}) {
		return {ok: true, value: {label: 'useful', wire: WIRE_LABELS.useful, segs: segments.map((_, i) => i + 1)}};
	},
};
