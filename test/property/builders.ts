import {contentId} from '../../src/core/ids.js';
import type {Beat, CardWithBeats} from '../../src/domain/card.js';
import type {Message} from '../../src/domain/conversation.js';
import type {ConversationText, MemoryBeat, MemoryCard} from '../../src/ports/store.js';

/** Every property runs from the seed's own number, so that a failure comes back. */
export const SEED = 1552;

export const MICROS = 1_000_000;
export const HOUR = 3600 * MICROS;
export const DAY = 24 * HOUR;

/** Microseconds of an ISO time. */
export const at = (iso: string): number => Date.parse(iso) * 1000;

/** A message with only what a test says. */
export const message = (
	seq: number,
	text: string,
	created_at: number | null,
	over: Partial<Message> = {},
): Message => ({
	message_id: `m_${seq}`,
	conversation_id: 'v_1',
	seq,
	native_id: null,
	parent_id: null,
	role: 'user',
	speaker: null,
	text,
	created_at,
	time_quality: created_at === null ? 'missing' : 'exact',
	authorship: 'human',
	status: 'done',
	is_visible: true,
	attachments: [],
	raw: null,
	...over,
});

export const conversation = (
	messages: readonly Message[],
	kind: 'assistant' | 'people' = 'assistant',
): ConversationText => ({
	conversation: {conversation_id: 'v_1', kind, line: 'main'},
	messages,
});

/** A verified beat of a card. */
export const beat = (card_id: string, ordinal: number, over: Partial<Beat> = {}): Beat => ({
	beat_id: contentId('b', card_id, ordinal),
	card_id,
	ordinal,
	message_id: `m_${ordinal}`,
	char_start: 0,
	char_end: 4,
	quote: `第${ordinal}句话`,
	role: 'user',
	speaker: 'user',
	observed_at: at('2026-01-10T13:00:00Z') + ordinal * MICROS,
	context_note: '用户说',
	verification: 'exact',
	absorbed_by: null,
	filtered_reason: null,
	...over,
});

export const card = (card_id: string, beats: readonly Beat[], over: Partial<CardWithBeats> = {}): CardWithBeats => ({
	card_id,
	card_set_id: 'k_parent',
	window_id: 'w_1',
	batch_id: null,
	line: 'main',
	conversation_id: 'v_1',
	day: '2026-01-10',
	ordinal: 0,
	title: card_id,
	tags: [],
	relay_quote: false,
	source_card_ids: [],
	disposition: 'keep',
	drop_ruler: null,
	drop_reason: null,
	seen_until: at('2026-01-10T14:00:00Z'),
	seen_until_seq: 9,
	beats,
	...over,
});

/** A card as recall reads it, with one beat a quote. */
export const memoryCard = (
	card_id: string,
	quotes: readonly string[],
	seen_until: number | null,
	over: Partial<MemoryCard> = {},
): MemoryCard => ({
	card_id,
	card_set_id: 'k_1',
	window_id: 'w_1',
	batch_id: null,
	line: 'main',
	conversation_id: 'v_1',
	day: '2026-01-10',
	ordinal: 0,
	title: quotes[0] ?? '',
	tags: [],
	relay_quote: false,
	disposition: 'keep',
	seen_until,
	seen_until_seq: 0,
	beats: quotes.map((quote, n) => memoryBeat(card_id, n, quote, seen_until)),
	replaced: null,
	...over,
});

const memoryBeat = (card_id: string, ordinal: number, quote: string, observed_at: number | null): MemoryBeat => ({
	beat_id: `b_${card_id}_${ordinal}`,
	card_id,
	ordinal,
	message_id: `m_${card_id}_${ordinal}`,
	conversation_id: 'v_elsewhere',
	seq: ordinal,
	char_start: 0,
	quote,
	role: 'user',
	speaker: 'user',
	observed_at,
	context_note: '',
	preceding: null,
});
