import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type CropBeat, type Cropped, crop} from '../../src/stages/crop/crop.js';
import {comparisonForm} from '../../src/text/normalize.js';
import {SEED} from './builders.js';

const WORDS = ['睡不着', '晚上那杯浓茶', 'tea', 'Ｔｅａ time', '。', ' ', '换成温水', '😀'];
/** Quotes that often contain each other. */
const quotes = fc.array(
	fc.array(fc.constantFrom(...WORDS), {minLength: 1, maxLength: 3}).map(list => list.join('')),
	{maxLength: 40},
);
const toBeats = (list: readonly string[]): CropBeat[] => list.map((quote, i) => ({beat_id: `b${i}`, quote}));
/** Quotes of which none contains another. */
const apart = fc
	.integer({min: 0, max: 40})
	.map(count => toBeats(Array.from({length: count}, (_, i) => `第${i}拍的原话`)));
const cap = fc.integer({min: 3, max: 15});
const hitsOf = (beats: readonly CropBeat[], bits: number): ReadonlySet<string> =>
	new Set(beats.filter((_, i) => (bits >> (i % 30)) & 1).map(({beat_id}) => beat_id));

const shown = <B extends CropBeat>(lines: Cropped<B>): B[] => lines.flatMap(line => (line === 'gap' ? [] : [line]));
const placeOf = ({beat_id}: CropBeat) => Number(beat_id.slice(1));
const options = {seed: SEED, numRuns: 500};

describe('a cropped card', () => {
	test('has at most the allowed beats, all of them its own, in their order, each once', () => {
		fc.assert(
			fc.property(quotes.map(toBeats), cap, fc.nat(), (beats, most, bits) => {
				for (const hits of [undefined, hitsOf(beats, bits)]) {
					const places = shown(crop(beats, hits, most)).map(placeOf);
					expect(places.length).toBeLessThanOrEqual(most);
					expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
					for (const place of places) expect(beats[place]).toBeDefined();
				}
			}),
			options,
		);
	});

	test('does not change when it is cropped again', () => {
		fc.assert(
			fc.property(quotes.map(toBeats), cap, (beats, most) => {
				const once = shown(crop(beats, undefined, most));
				expect(crop(once, undefined, most)).toEqual(once);
			}),
			options,
		);
	});

	test('keeps the first and the last before containment is looked at, and fills its places', () => {
		fc.assert(
			fc.property(apart, cap, fc.nat(), (beats, most, bits) => {
				const places = shown(crop(beats, hitsOf(beats, bits), most)).map(placeOf);
				expect(places.length).toBe(Math.min(most, beats.length));
				if (beats.length > 0) expect([places[0], places.at(-1)]).toEqual([0, beats.length - 1]);
			}),
			options,
		);
	});

	test('has an ellipsis exactly where beats were left out, and none at its ends', () => {
		fc.assert(
			fc.property(apart, cap, fc.nat(), (beats, most, bits) => {
				const lines = crop(beats, hitsOf(beats, bits), most);
				lines.forEach((line, i) => {
					if (line !== 'gap') return;
					const [before, after] = [lines[i - 1], lines[i + 1]];
					if (!before || before === 'gap' || !after || after === 'gap') throw new Error('an ellipsis stands alone');
					expect(placeOf(after) - placeOf(before)).toBeGreaterThan(1);
				});
				const gaps = lines.filter(line => line === 'gap').length;
				const places = shown(lines).map(placeOf);
				expect(gaps).toBe(places.filter((place, i) => i > 0 && place - places[i - 1]! > 1).length);
				// The middle is one run, so there are two gaps at most.
				expect(gaps).toBeLessThanOrEqual(2);
			}),
			options,
		);
	});

	test('has no ellipsis for quotes that containment removed', () => {
		fc.assert(
			fc.property(quotes.map(toBeats), beats => {
				expect(crop(beats, undefined, Math.max(3, beats.length))).not.toContain('gap');
			}),
			options,
		);
	});

	test('leaves no quote of four characters or more that another one holds', () => {
		fc.assert(
			fc.property(quotes.map(toBeats), cap, (beats, most) => {
				const forms = shown(crop(beats, undefined, most)).map(({quote}) => comparisonForm(quote));
				forms.forEach((form, i) => {
					if (Array.from(form).length < 4) return;
					expect(forms.some((other, j) => i !== j && other.includes(form))).toBe(false);
				});
			}),
			options,
		);
	});

	test('loses no words to containment: what went is held by something that stayed', () => {
		fc.assert(
			fc.property(quotes.map(toBeats), beats => {
				const lines = shown(crop(beats, undefined, Math.max(3, beats.length)));
				const forms = lines.map(({quote}) => comparisonForm(quote));
				for (const item of beats) {
					const form = comparisonForm(item.quote);
					expect(lines.includes(item) || forms.some(other => other.includes(form))).toBe(true);
				}
			}),
			options,
		);
	});

	test('holds the one beat that was hit, with its neighbours', () => {
		fc.assert(
			fc.property(fc.integer({min: 13, max: 60}), fc.nat(), (count, pick) => {
				const beats = toBeats(Array.from({length: count}, (_, i) => `第${i}拍的原话`));
				const hit = 1 + (pick % (count - 2));
				const places = shown(crop(beats, new Set([`b${hit}`]))).map(placeOf);
				expect(places).toContain(hit);
				const run = places.slice(1, -1);
				expect(run.at(-1)! - run[0]!).toBe(9);
				// In the middle of the run unless an end of the card is near.
				if (run[0]! > 1 && run.at(-1)! < count - 2) expect([4, 5]).toContain(hit - run[0]!);
			}),
			options,
		);
	});
});
