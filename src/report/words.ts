import type {Pool} from '../domain/exposure.js';
import type {HelpFate} from './gold.js';

/** What became of a target, in a word or two. */
export const POOL_WORDS: Readonly<Record<Pool, string>> = {
	delivered: 'delivered',
	rejected: 'held back',
	not_judged: 'not judged',
};

/** How far a help came. */
export const FATE_WORDS: Readonly<Record<HelpFate, string>> = {
	delivered: 'delivered',
	shortlisted: 'shortlisted, not delivered',
	in_pool: 'in the pool only',
	not_found: 'not found',
};

const REASONS: Readonly<Record<string, string>> = {
	'judge:有用': 'the judge found it useful',
	'judge:useful': 'the judge found it useful',
	'judge:没用': 'the judge found nothing of use',
	'judge:none': 'the judge found nothing of use',
	'judge:有害': 'the judge found it harmful',
	'judge:harmful': 'the judge found it harmful',
	'exempt:acknowledgement': 'an acknowledgement, which needs no recall',
	'exempt:emoji': 'only emoji and marks, which need no recall',
	'exempt:empty': 'nothing to recall for',
	mid_filter_empty: 'nothing was shortlisted',
};

/** The reason of an exposure in words; one that is not known stays as it is. */
export function reasonWords(reason: string, candidates: number): string {
	if (reason === 'mid_filter_empty' && candidates === 0) return 'there was nothing to recall yet';
	return REASONS[reason] ?? reason.replaceAll('_', ' ');
}

/** `1 card`, `3 cards`. */
export const plural = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

export const percent = (part: number, whole: number): string =>
	whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`;
