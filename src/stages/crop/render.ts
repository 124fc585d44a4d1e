import type {Instant, Zone} from '../../core/time.js';
import {oneLine, quoteLine} from '../../text/normalize.js';
import {type CropBeat, crop} from './crop.js';

/** What rendering needs of a beat. */
export interface RenderBeat extends CropBeat {
	readonly observed_at: Instant | null;
	readonly role: string;
	readonly speaker: string | null;
	readonly context_note: string;
}

export interface RenderOptions {
	readonly zone: Zone;
	readonly cap: number;
	/** Ids of the beats that the crop centres on; undefined takes all, the seed's way. */
	readonly hits?: ReadonlySet<string>;
	readonly withContextNote: boolean;
}

export interface RenderedCard {
	readonly text: string;
	/** Beats that stand in the text, in order. */
	readonly beat_ids: readonly string[];
}

/** For a date that is not known, a person and a model. */
const NO_DATE = '日期不详';
const NAMES: ReadonlyMap<string, string> = new Map([
	['user', '用户'],
	['assistant', '助手'],
]);

/** Names, titles and notes are not quotes: on one line, and without the marks that only quotes bear. */
const label = (text: string): string => oneLine(text).replaceAll('「', '『').replaceAll('」', '』');

/**
 * A card as it is delivered (seed 1, 参数、熔断与注入): `〔title〕 · first date ~ last date · 共 N 拍`, then a line a
 * beat. N counts the card's deliverable beats, so that a gap can be seen for what it is. Dates in the memory zone.
 * @param beats deliverable beats in time order
 */
export function renderCard(title: string, beats: readonly RenderBeat[], options: RenderOptions): RenderedCard {
	const dates = beats.flatMap(beat => (beat.observed_at === null ? [] : [options.zone.dayOf(beat.observed_at)]));
	const head = `〔${label(title)}〕 · ${dates[0] ?? NO_DATE} ~ ${dates.at(-1) ?? NO_DATE} · 共 ${beats.length} 拍`;
	const cropped = crop(beats, options.hits, options.cap);
	const lines = cropped.map(beat => (beat === 'gap' ? '  ……' : renderBeat(beat, options)));
	return {
		text: [head, ...lines].join('\n'),
		beat_ids: cropped.flatMap(beat => (beat === 'gap' ? [] : [beat.beat_id])),
	};
}

function renderBeat(beat: RenderBeat, {zone, withContextNote}: RenderOptions): string {
	const date = beat.observed_at === null ? NO_DATE : zone.dayOf(beat.observed_at);
	const name = NAMES.get(beat.speaker ?? beat.role) ?? label(beat.speaker ?? beat.role);
	const note = withContextNote && beat.context_note !== '' ? `（${label(beat.context_note)}）` : '';
	return `  ${date} · ${name}：「${quoteLine(beat.quote)}」${note}`;
}

/** "（记录前言：以下是过去的事，属于当时，使用由当轮 Claude 判断。）" (seed 1) */
export const PREFACE = '（记录前言：以下是过去的事，属于当时，使用由当轮 Claude 判断。）';
/** "【以上为隐藏交接与动态上下文，以下是用户本轮消息】" (seed 1) */
export const SEPARATOR = '【以上为隐藏交接与动态上下文，以下是用户本轮消息】';

/** The delivered block: preface, the chosen segments word for word, separator. The user's message follows it. */
export const renderInjection = (segments: readonly string[]): string =>
	`${PREFACE}\n${segments.join('\n')}\n\n${SEPARATOR}`;
