import {formatInstant} from '../core/time.js';
import type {Window, WindowPart} from './card.js';

/** The id of part `index` inside its window: m1, m2, … */
export const shortId = (index: number): string => `m${index + 1}`;

/** A part as an extractor reads it: short id, time, role (the name where there is one), text. */
export const renderPart = (part: WindowPart, index: number): string =>
	`${shortId(index)} | ${part.created_at === null ? '-' : formatInstant(part.created_at)} | ${part.speaker ?? part.role} | ${part.text}`;

/** The window as an extractor reads it. */
export const renderWindow = (window: Pick<Window, 'parts'>): string => window.parts.map(renderPart).join('\n');
