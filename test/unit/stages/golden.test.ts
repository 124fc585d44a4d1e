import {describe, expect, test} from 'vitest';
import {formatInstant, Zone} from '../../../src/core/time.js';
import type {CardWithBeats, Window} from '../../../src/domain/card.js';
import {renderWindow} from '../../../src/domain/window-text.js';
import {sameEventAggregator} from '../../../src/models/baseline/same-event.js';
import {verbatimExtractor} from '../../../src/models/baseline/verbatim.js';
import {attemptBatch} from '../../../src/stages/aggregate/aggregate.js';
import {planBatches} from '../../../src/stages/aggregate/plan.js';
import {renderCard, renderInjection} from '../../../src/stages/crop/render.js';
import {extractWindow} from '../../../src/stages/extract/extract.js';
import {planWindows} from '../../../src/stages/extract/windows.js';
import {indexLine} from '../../../src/stages/shortlist/shortlist.js';
import {golden} from '../../golden/golden.js';
import {at, beat, card, conversation, message} from '../../property/builders.js';

/** A conversation as the goldens write it: role, time, text. */
interface Chat {
	readonly zone: string;
	readonly kind: 'assistant' | 'people';
	readonly messages: readonly (readonly ['user' | 'assistant', string | null, string])[];
}

const timeOf = (iso: string | null): number | null => (iso === null ? null : at(iso));
const isoOf = (instant: number | null): string | null => (instant === null ? null : formatInstant(instant));

function windowsOf({zone, kind, messages}: Chat): Window[] {
	const list = messages.map(([role, iso, text], seq) => message(seq, text, timeOf(iso), {role}));
	return planWindows(conversation(list, kind), new Zone(zone), 'k_1');
}

async function cardsOf(chat: Chat): Promise<CardWithBeats[]> {
	const results = [];
	for (const window of windowsOf(chat))
		results.push(await extractWindow(window, 'k_1', {assistantBeats: 'one'}, verbatimExtractor));
	return results.flatMap(({cards}) => cards);
}

const showCard = ({title, tags, day, disposition, source_card_ids, seen_until, beats}: CardWithBeats) => ({
	title,
	tags,
	day,
	disposition,
	source_card_ids,
	seen_until: isoOf(seen_until),
	beats: beats.map(item => ({
		source: [item.message_id, item.char_start, item.char_end],
		speaker: item.speaker,
		observed_at: isoOf(item.observed_at),
		quote: item.quote,
		context_note: item.context_note,
		verification: item.verification,
		...(item.absorbed_by === null ? {} : {absorbed_by: beats.findIndex(({beat_id}) => beat_id === item.absorbed_by)}),
	})),
});

/** A card as the aggregate golden writes it: source, time, quote and note of each beat. */
interface DrawnCard {
	readonly id: string;
	readonly title: string;
	readonly tags: readonly string[];
	readonly beats: readonly (readonly [string, string | null, string, string])[];
}

const toCard = ({id, title, tags, beats}: DrawnCard): CardWithBeats =>
	card(
		id,
		beats.map(([message_id, iso, quote, context_note], n) =>
			beat(id, n, {
				message_id,
				quote,
				context_note,
				observed_at: timeOf(iso),
				verification: context_note.endsWith('none') ? 'none' : 'exact',
			}),
		),
		{title, tags, seen_until: at('2026-01-10T19:30:00Z')},
	);

describe('what has been reviewed stays as it is', () => {
	test('the windows of a mixed day', () =>
		golden<Chat>('windows', chat =>
			windowsOf(chat).map(window => ({
				day: window.day,
				ordinal: window.ordinal,
				n_user: window.n_user,
				n_chars: window.n_chars,
				seen_until: isoOf(window.seen_until),
				repeated: window.parts.filter(part => part.repeated).map(part => part.message_id),
				text: renderWindow(window).split('\n'),
			})),
		));

	test('the cards that verbatim makes of it', () =>
		golden<Chat>('verbatim', async chat => (await cardsOf(chat)).map(showCard)));

	test('the cards after the second review', () =>
		golden<{cards: readonly DrawnCard[]}>('aggregate', async ({cards}) => {
			const [batch] = planBatches('main', '2026-01-10', cards.map(toCard), 'k_2');
			const {status, seen_until, cards: made, log} = await attemptBatch(batch!, 0, [], 'k_2', sameEventAggregator);
			const nameOf = (id: string) => made.findIndex(({card_id}) => card_id === id);
			return {
				order: batch!.cards.map(({card_id}) => card_id),
				status,
				seen_until: isoOf(seen_until),
				log: log.map(entry => ({...entry, result_card_id: nameOf(entry.result_card_id)})),
				cards: made.map(showCard),
			};
		}));

	test('a line of the light index', () =>
		golden<IndexInput>('index-line', ({zone, beats, ...rest}) =>
			indexLine(
				{...rest, beats: beats.map(item => ({...item, observed_at: timeOf(item.observed_at)}))},
				new Zone(zone),
			),
		));
});

interface IndexInput {
	readonly zone: string;
	readonly card_id: string;
	readonly title: string;
	readonly tags: readonly string[];
	readonly beats: readonly {readonly quote: string; readonly observed_at: string | null}[];
}

interface Sample {
	readonly zone: string;
	readonly title: string;
	readonly beats: readonly {observed_at: string; role: string; speaker: string; quote: string; context_note: string}[];
	readonly target: string;
}

test("the seed's own sample card comes out exactly as the seed prints it, preface and separator included", () =>
	golden<Sample>('render', ({zone, title, beats, target}) => {
		const rows = beats.map((beat, i) => ({...beat, beat_id: `b_${i}`, observed_at: at(beat.observed_at)}));
		const {text, beat_ids} = renderCard(title, rows, {zone: new Zone(zone), cap: 12, withContextNote: false});
		expect(beat_ids).toEqual(['b_0', 'b_1']);
		return {text: `${renderInjection([text])}\n${target}`};
	}));
