import type {Instant, Zone} from '../../core/time.js';
import type {IndexLine, Shortlister} from '../../models/tasks.js';
import {cutCodePoints} from '../../text/code-points.js';
import {oneLine} from '../../text/normalize.js';
import {INDEX_LINE_QUOTE_CHARS_MAX, INDEX_LINE_QUOTES, SAME_EVENT_SHARE_MIN} from './constants.js';

/** What a line of the light index shows of a card. */
export interface IndexCard {
	readonly card_id: string;
	readonly title: string;
	readonly tags: readonly string[];
	readonly beats: readonly {readonly quote: string; readonly observed_at: Instant | null}[];
}

const field = (text: string): string => oneLine(text).replaceAll('|', '｜');

/** `card_id | 日期 | title | tags | quote1 | quote2` (seed 1, 中筛): the first two beats, cut. */
export function indexLine(card: IndexCard, zone: Zone): IndexLine {
	const first = card.beats.find(beat => beat.observed_at !== null)?.observed_at ?? null;
	const quotes = Array.from({length: INDEX_LINE_QUOTES}, (_, i) => card.beats[i]?.quote ?? '');
	const fields = [
		card.card_id,
		first === null ? '-' : zone.dayOf(first),
		field(card.title),
		field(card.tags.join('、')),
		...quotes.map(quote => field(cutCodePoints(oneLine(quote), INDEX_LINE_QUOTE_CHARS_MAX))),
	];
	return {candidate_id: card.card_id, line: fields.join(' | ')};
}

/** "程序过滤未知标识、重复标识并硬限三张" (seed 1), keeping the model's order. */
export function validIds(answer: readonly string[], known: ReadonlySet<string>, max: number): string[] {
	return [...new Set(answer)].filter(id => known.has(id)).slice(0, max);
}

/** Takes out what this chat window was given before; if that empties the choice, the choice stands ("窗内去重全空有回退"). */
export function windowDedupe(ids: readonly string[], delivered: ReadonlySet<string>): string[] {
	const fresh = ids.filter(id => !delivered.has(id));
	return fresh.length > 0 ? fresh : [...ids];
}

/** Of two cards about one event the earlier in order stays ("来源消息交集占较小集合比例 ≥0.5 视为同事"). */
export function eventDedupe(ids: readonly string[], sourcesOf: (id: string) => ReadonlySet<string>): string[] {
	const kept: string[] = [];
	for (const id of ids) if (!kept.some(other => isSameEvent(sourcesOf(id), sourcesOf(other)))) kept.push(id);
	return kept;
}

function isSameEvent(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
	const smaller = Math.min(a.size, b.size);
	if (smaller === 0) return false;
	return [...a].filter(id => b.has(id)).length / smaller >= SAME_EVENT_SHARE_MIN;
}

/** Without a model: the best of the arm's order, as many as are allowed. */
export const baselineShortlister = (max: number): Shortlister => ({
	id: 'top/1',
	promptSha: null,
	isLanguageModel: false,
	async shortlist({order}) {
		return {ok: true, value: order.slice(0, max)};
	},
});
