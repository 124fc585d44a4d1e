import type {Instant} from '../core/time.js';
import type {Pool} from '../domain/exposure.js';
import type {HelpFate} from './gold.js';

// What the demo's report shows, read from the memory file by src/cli/services/exposures.ts.

/** A quote with its source. */
export interface ShownBeat {
	readonly quote: string;
	readonly message_id: string;
	/** Code points of the message's text, the end not included. */
	readonly char_start: number;
	readonly char_end: number;
	readonly at: Instant | null;
	readonly speaker: string;
}

/** A card as the judge saw it. */
export interface ShownSegment {
	readonly card_id: string;
	readonly title: string;
	/** Its quotes in order; `gap` where the crop left some out. */
	readonly parts: readonly (ShownBeat | 'gap')[];
	readonly delivered: boolean;
}

/** One arm's pass over a target. */
export interface ShownExposure {
	readonly arm: string;
	readonly pool: Pool;
	readonly reason: string;
	readonly n_candidates: number;
	readonly segments: readonly ShownSegment[];
}

/** An earlier message that would have helped, and how far it came in each arm. */
export interface ShownHelp {
	readonly message_id: string;
	readonly text: string;
	readonly speaker: string;
	readonly at: Instant | null;
	readonly fates: readonly {readonly arm: string; readonly fate: HelpFate}[];
}

/** The judgement of a target that comes with the sample, from its gold.jsonl. */
export interface ShownGold {
	readonly needs_memory: boolean;
	readonly reason: string;
	readonly helps: readonly ShownHelp[];
}

/** A message with what every arm made of it. */
export interface ShownTarget {
	readonly line: string;
	readonly target_id: string;
	readonly text: string;
	readonly at: Instant | null;
	readonly conversation: string;
	readonly exposures: readonly ShownExposure[];
	readonly gold: ShownGold | null;
}

/** Whether the arms delivered different things, the same, or nothing. */
export type TargetKind = 'differ' | 'alike' | 'none';

export function kindOf({exposures}: ShownTarget): TargetKind {
	const keys = exposures.map(({segments}) =>
		JSON.stringify(segments.filter(({delivered}) => delivered).map(({card_id, parts}) => [card_id, parts])),
	);
	if (keys.every(key => key === '[]')) return 'none';
	return new Set(keys).size === 1 ? 'alike' : 'differ';
}

/**
 * The quotes of a rendered card with the gaps that its crop left: a line a beat, `……` for a gap, below the head.
 * @param beats the beats that stand in the text, in order
 */
export function withGaps(text: string, beats: readonly ShownBeat[]): (ShownBeat | 'gap')[] {
	const lines = text.split('\n').slice(1);
	if (lines.filter(line => line.trim() !== '……').length !== beats.length) return [...beats];
	let next = 0;
	return lines.map(line => (line.trim() === '……' ? 'gap' : beats[next++]!));
}

/** Lists by key, in order of first sight. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const item of items) {
		const key = keyOf(item);
		const group = groups.get(key);
		if (group) group.push(item);
		else groups.set(key, [item]);
	}
	return groups;
}
