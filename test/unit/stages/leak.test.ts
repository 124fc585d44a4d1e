import {describe, expect, test} from 'vitest';
import {Zone} from '../../../src/core/time.js';
import type {SeenByExposure} from '../../../src/ports/store.js';
import {check, leakOf} from '../../../src/stages/check/check.js';
import {at} from '../../property/builders.js';

const zone = new Zone('Asia/Shanghai');
const CUTOFF = at('2026-01-12T02:00:00Z');
const LATER = 'written with sight of later messages';
const QUOTED = 'quotes a later message';
const UNPROCESSED = 'not processed by then';

/** A card of two days before in another conversation: no leak. */
const seen = (over: Partial<SeenByExposure> = {}): SeenByExposure => ({
	exposure_id: 'x_1',
	card_id: 'c_1',
	cutoff: CUTOFF,
	cutoff_seq: 5,
	cutoff_basis: 'time',
	availability: 'nightly',
	target_conversation: 'v_t',
	last_seq: null,
	seen_until: at('2026-01-10T02:00:00Z'),
	seen_until_seq: 3,
	card_conversation: 'v_1',
	last_said: at('2026-01-10T02:00:00Z'),
	...over,
});
const order = (over: Partial<SeenByExposure> = {}) =>
	seen({cutoff: null, cutoff_basis: 'order', seen_until: null, last_said: null, card_conversation: 'v_t', ...over});
const end = (over: Partial<SeenByExposure> = {}) =>
	seen({cutoff_basis: 'end', cutoff_seq: null, target_conversation: null, ...over});

const CASES: readonly (readonly [string, SeenByExposure, string | null])[] = [
	['a card of two days before', seen(), null],
	[
		'written one microsecond before the cutoff, at once',
		seen({availability: 'immediate', seen_until: CUTOFF - 1, last_said: CUTOFF - 1}),
		null,
	],
	['written at the cutoff', seen({availability: 'immediate', seen_until: CUTOFF, last_said: null}), LATER],
	['written after the cutoff', seen({seen_until: CUTOFF + 1}), LATER],
	['written before, but quoting a message at the cutoff', seen({last_said: CUTOFF}), QUOTED],
	['written before, but quoting a later message', seen({last_said: CUTOFF + 1}), QUOTED],
	['both', seen({seen_until: CUTOFF, last_said: CUTOFF}), LATER],
	['of yesterday, after 06:00 of today', seen({seen_until: at('2026-01-11T15:59:59Z')}), null],
	[
		'of yesterday, at 06:00 to the microsecond',
		seen({cutoff: at('2026-01-11T22:00:00Z'), seen_until: at('2026-01-11T15:00:00Z')}),
		null,
	],
	[
		'of yesterday, before 06:00 of today',
		seen({cutoff: at('2026-01-11T22:00:00Z') - 1, seen_until: at('2026-01-11T15:00:00Z')}),
		UNPROCESSED,
	],
	['of the same day of the zone', seen({seen_until: at('2026-01-11T16:00:00Z')}), UNPROCESSED],
	['of the same day, at once', seen({availability: 'immediate', seen_until: at('2026-01-11T16:00:00Z')}), null],
	['without time, of another conversation', seen({seen_until: null, last_said: null}), UNPROCESSED],
	[
		'without time, of a batch over several conversations',
		seen({seen_until: null, last_said: null, card_conversation: null}),
		UNPROCESSED,
	],
	[
		'without time, before the target in its conversation',
		seen({seen_until: null, last_said: null, card_conversation: 'v_t'}),
		null,
	],
	[
		'without time, after the target in its conversation',
		seen({seen_until: null, last_said: null, card_conversation: 'v_t', seen_until_seq: 6}),
		UNPROCESSED,
	],
	[
		'without time, but a quoted message has one after the cutoff',
		seen({seen_until: null, last_said: CUTOFF, card_conversation: 'v_t'}),
		QUOTED,
	],
	['by order, one place before', order({seen_until_seq: 4}), null],
	['by order, the target itself', order({seen_until_seq: 5}), UNPROCESSED],
	['by order, one place after', order({seen_until_seq: 6}), UNPROCESSED],
	['by order, place unknown', order({seen_until_seq: null}), UNPROCESSED],
	["by order, the target's place unknown", order({cutoff_seq: null}), UNPROCESSED],
	['by order, of another conversation', order({card_conversation: 'v_1'}), UNPROCESSED],
	[
		'by order, a card with a time of the same conversation',
		order({seen_until: CUTOFF, last_said: CUTOFF, seen_until_seq: 4}),
		null,
	],
	[
		'by order, a card with a time of another conversation',
		order({seen_until: 1, last_said: 1, card_conversation: 'v_1'}),
		UNPROCESSED,
	],
	[
		'at the end, anything before it',
		end({card_conversation: null, seen_until: CUTOFF - 1, last_said: CUTOFF - 1}),
		null,
	],
	['at the end, without any time', end({cutoff: null, seen_until: null, last_said: null}), null],
	['at the end, but after it', end({seen_until: CUTOFF}), LATER],
];

describe('leakOf', () => {
	test.each(CASES)('%s', (_, row, leak) => {
		expect(leakOf(row, zone)).toBe(leak);
	});

	test("06:00 is by the file's own zone", () => {
		const row = seen({
			cutoff: at('2026-01-11T13:00:00Z'),
			seen_until: at('2026-01-11T02:00:00Z'),
			last_said: at('2026-01-11T02:00:00Z'),
		});
		expect(leakOf(row, new Zone('America/New_York'))).toBeNull();
		expect(leakOf(row, zone)).toBe(UNPROCESSED);
	});
});

test('the check gives what queries found, then a finding for each leak', async () => {
	const found = {kind: 'quote_differs', where: 'b_1', detail: ''};
	const store = {
		async *findings() {
			yield found;
		},
		async *shownBeats() {
			yield {exposure_id: 'x_1', beat_id: 'b_1', quote: '我的膝盖　很疼。', text: '「我的膝盖　很疼。」'};
			yield {exposure_id: 'x_3', beat_id: 'b_3', quote: '左边', text: '「右边」'};
		},
		async *seenByExposures() {
			yield seen();
			yield seen({exposure_id: 'x_2', card_id: 'c_2', seen_until: CUTOFF});
		},
	};
	const findings = [];
	for await (const finding of check(store, zone)) findings.push(finding);
	const unrendered = {kind: 'delivered_not_rendered', where: 'x_3', detail: 'b_3'};
	expect(findings).toEqual([found, unrendered, {kind: 'leak', where: 'x_2', detail: `c_2: ${LATER}`}]);
});
