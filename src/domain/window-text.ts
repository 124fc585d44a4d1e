import {formatInstant} from '../core/time.js';
import {cutCodePoints} from '../text/code-points.js';
import {oneLine} from '../text/normalize.js';
import type {Window, WindowPart} from './card.js';

/** Code points of a speaker's name that a window shows (ours): a name must not eat the window. */
const SPEAKER_CHARS_MAX = 60;

/** The id of part `index` inside its window: m1, m2, … */
export const shortId = (index: number): string => `m${index + 1}`;

/** A part as an extractor reads it: short id, time, role (the name where there is one), text. */
export const renderPart = (part: WindowPart, index: number): string =>
	`${shortId(index)} | ${part.created_at === null ? '-' : formatInstant(part.created_at)} | ${cutCodePoints(oneLine(part.speaker ?? part.role), SPEAKER_CHARS_MAX)} | ${part.text}`;

/** The window as an extractor reads it. */
export const renderWindow = (window: Pick<Window, 'parts'>): string => window.parts.map(renderPart).join('\n');
