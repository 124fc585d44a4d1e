import {codePointLength} from '../../text/code-points.js';
import {comparisonForm} from '../../text/normalize.js';
import {CONTAINED_LENGTH_MIN, CROP_BEATS_MAX} from './constants.js';

/** What the crop needs of a beat. */
export interface CropBeat {
	readonly beat_id: string;
	readonly quote: string;
}

/** Chosen beats in order; a gap is an ellipsis line. */
export type Cropped<B extends CropBeat> = readonly (B | 'gap')[];

/**
 * Cuts a card to at most `cap` beats (seed 1, 裁卡, pseudo-code `crop`): first and last, and of the rest a contiguous
 * run around the middle of the hits. Then contained or equal quotes go, and are not refilled; that may be the first
 * or the last. Gaps stand only where the cropping left beats out.
 * @param beats in time order (stable), at least none
 * @param hits ids of the beats that recall hit; the seed takes all of the card's
 */
export function crop<B extends CropBeat>(
	beats: readonly B[],
	hits: ReadonlySet<string> = new Set(beats.map(beat => beat.beat_id)),
	cap: number = CROP_BEATS_MAX,
): Cropped<B> {
	const positions = choosePositions(beats, hits, cap);
	const kept = new Set(withoutContained(positions.map(position => beats[position]!)));
	const lines: (B | 'gap')[] = [];
	let previous = -1;
	for (const position of positions) {
		if (position > previous + 1) lines.push('gap');
		previous = position;
		const beat = beats[position]!;
		if (kept.has(beat)) lines.push(beat);
	}
	return lines;
}

function choosePositions(beats: readonly CropBeat[], hits: ReadonlySet<string>, cap: number): number[] {
	const last = beats.length - 1;
	if (beats.length <= cap) return beats.map((_, position) => position);
	const room = cap - 2;
	const hit = [...Array(last - 1).keys()].map(i => i + 1).filter(position => hits.has(beats[position]!.beat_id));
	const from = segmentStart(hit, room, last);
	return [0, ...Array.from({length: room}, (_, i) => from + i), last];
}

/** Start of the run among positions 1 … last-1. */
function segmentStart(hit: readonly number[], room: number, last: number): number {
	const [low, high] = [1, last - room];
	const clamp = (start: number) => Math.max(low, Math.min(high, start));
	if (hit.length === 0) return low;
	const [first, final] = [hit[0]!, hit.at(-1)!];
	const span = final - first + 1;
	// "span(hits) >= cap-2: centered_window(inner, midpoint(hits), cap-2)"
	if (span >= room) return clamp(Math.floor((first + final) / 2) - Math.floor((room - 1) / 2));
	// "expand_hit_span_left_then_right": one to the left, one to the right, in turn; what one side lacks the other gives.
	const left = Math.ceil((room - span) / 2);
	return clamp(first - left);
}

/** Quotes that say no more than another one: of equal ones the first stays, a contained shorter one goes. */
function withoutContained<B extends CropBeat>(beats: readonly B[]): B[] {
	const forms = beats.map(beat => comparisonForm(beat.quote));
	return beats.filter((_, i) => !forms.some((other, j) => i !== j && isContained(forms[i]!, other, j < i)));
}

function isContained(form: string, other: string, otherIsEarlier: boolean): boolean {
	if (codePointLength(form) < CONTAINED_LENGTH_MIN || codePointLength(other) < CONTAINED_LENGTH_MIN) return false;
	return form === other ? otherIsEarlier : other.includes(form);
}
