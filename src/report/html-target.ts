import type {Instant, Zone} from '../core/time.js';
import {codePointLength, cutCodePoints} from '../text/code-points.js';
import {oneLine, quoteLine} from '../text/normalize.js';
import {chatHtml, escapeHtml, langAttribute} from './escape.js';
import type {ShownBeat, ShownExposure, ShownGold, ShownSegment, ShownTarget} from './shown.js';
import {FATE_WORDS, POOL_WORDS, plural, reasonWords} from './words.js';

/** What a page knows beside the target: the zone of its times and the arms in their order. */
export interface PageContext {
	readonly zone: Zone;
	readonly arms: readonly string[];
}

/** Code points of a message shown before the fold. */
const SAID_CHARS_MAX = 600;
/** Code points of a help's message. */
const HELP_CHARS_MAX = 90;
/** Quotes shown of a card that was held back; all of them would double the file. */
const HELD_QUOTES_MAX = 3;

export const armClass = (arm: string, {arms}: PageContext): string => `a${arms.indexOf(arm) % 3}`;

const clock = (at: Instant | null, {zone}: PageContext): string => (at === null ? 'no time' : zone.clockOf(at));

/** A message, its gold, and what every arm made of it. */
export function targetHtml(target: ShownTarget, page: PageContext): string {
	const helps = new Set(target.gold?.helps.map(({message_id}) => message_id));
	const zone = target.at === null ? '' : ` ${escapeHtml(page.zone.name)}`;
	return `<article id="${escapeHtml(target.target_id)}"><p class="meta">${clock(target.at, page)}${zone} · ${escapeHtml(target.target_id)}</p>
${saidHtml(target.text)}${target.gold ? goldHtml(target.gold, page) : ''}
<div class="two">${target.exposures.map(exposure => exposureHtml(exposure, helps, page)).join('\n')}</div>${heldHtml(target, page)}</article>`;
}

function saidHtml(text: string): string {
	const whole = `<div class="said"${langAttribute(text)}>${chatHtml(text.trim())}</div>`;
	if (codePointLength(text) <= SAID_CHARS_MAX) return whole;
	const head = chatHtml(cutCodePoints(oneLine(text), HELP_CHARS_MAX));
	return `<details><summary class="said">${head} <span class="soft small">(${codePointLength(text)} characters)</span></summary>${whole}</details>`;
}

function goldHtml({needs_memory, reason, helps}: ShownGold, page: PageContext): string {
	const verdict = needs_memory ? 'needs memory' : 'needs none';
	const items = helps.map(({text, speaker, at, fates}) => {
		const marks = fates.map(
			({arm, fate}) =>
				`<span class="fate ${armClass(arm, page)}"><b>${escapeHtml(arm)}</b> <span class="${fate === 'delivered' ? 'delivered' : 'missed'}">${fate === 'delivered' ? '✓' : '✗'} ${FATE_WORDS[fate]}</span></span>`,
		);
		const excerpt = chatHtml(cutCodePoints(oneLine(text), HELP_CHARS_MAX));
		return `<li><span class="soft">${clock(at, page)} ${chatHtml(speaker)}</span> <span${langAttribute(text)}>${excerpt}</span><br>${marks.join(' ')}</li>`;
	});
	const list = items.length > 0 ? `<ul>${items.join('')}</ul>` : '';
	return `<div class="gold"><p><strong>Gold: ${verdict}.</strong> <span${langAttribute(reason)}>${chatHtml(reason)}</span></p>${list}</div>`;
}

function exposureHtml(exposure: ShownExposure, helps: ReadonlySet<string>, page: PageContext): string {
	const {arm, pool, reason, n_candidates, segments} = exposure;
	const cards = segments.filter(({delivered}) => delivered).map(segment => cardHtml(segment, helps, page));
	const from = n_candidates > 0 ? `; ${plural(n_candidates, 'candidate')}` : '';
	return `<section class="arm ${armClass(arm, page)}"><span class="name">${escapeHtml(arm)}</span><span class="pill ${pool}">${POOL_WORDS[pool]}</span>
<p class="why">${escapeHtml(reasonWords(reason, n_candidates))}${from}</p>${cards.join('')}</section>`;
}

const cardHtml = ({title, parts}: ShownSegment, helps: ReadonlySet<string>, page: PageContext): string =>
	`<div class="card"${langAttribute(title)}><h4>${chatHtml(oneLine(title))}</h4>${parts.map(part => partHtml(part, helps, page)).join('')}</div>`;

function partHtml(part: ShownBeat | 'gap', helps: ReadonlySet<string>, page: PageContext): string {
	if (part === 'gap') return '<p class="gap">……</p>';
	const isHelp = helps.has(part.message_id);
	const mark = isHelp ? '<b>★ gold help</b> · ' : '';
	const source = `${escapeHtml(part.message_id)} characters ${part.char_start}–${part.char_end}`;
	return `<blockquote${isHelp ? ' class="help"' : ''}>「${chatHtml(quoteLine(part.quote))}」<cite>${mark}${clock(part.at, page)} · ${chatHtml(part.speaker)} · ${source}</cite></blockquote>`;
}

/** Cards that a judge saw and held back, once each with the arms that showed them. */
function heldHtml({exposures, gold}: ShownTarget, page: PageContext): string {
	const helps = new Set(gold?.helps.map(({message_id}) => message_id));
	const held = new Map<string, {segment: ShownSegment; arms: string[]}>();
	for (const {arm, segments} of exposures) {
		for (const segment of segments.filter(({delivered}) => !delivered)) {
			const key = JSON.stringify([segment.card_id, segment.parts]);
			const known = held.get(key);
			if (known) known.arms.push(arm);
			else held.set(key, {segment, arms: [arm]});
		}
	}
	if (held.size === 0) return '';
	const cards = [...held.values()].map(({segment, arms}) => {
		const quotes = segment.parts.filter(part => part !== 'gap');
		const shown = quotes.slice(0, HELD_QUOTES_MAX).map(part => partHtml(part, helps, page));
		const more = quotes.length - shown.length;
		const rest = more > 0 ? `<p class="gap">… and ${plural(more, 'quote')} more</p>` : '';
		return `<div class="card"${langAttribute(segment.title)}><h4>${chatHtml(oneLine(segment.title))} <span class="soft">${escapeHtml(arms.join(', '))}</span></h4>${shown.join('')}${rest}</div>`;
	});
	return `<details class="held"><summary>${plural(held.size, 'card')} shown to the judge and held back</summary>${cards.join('')}</details>`;
}
