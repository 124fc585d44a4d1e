import {sameEventAggregator} from '../../models/baseline/same-event.js';
import {aggregate} from '../../stages/aggregate/aggregate.js';
import type {ServiceResult} from '../result.js';
import {counted, pickCardSet, type SessionFlags, table, withStore} from '../session.js';

export interface AggregateFlags extends SessionFlags {
	readonly cards?: string | undefined;
}

/** `hindcast aggregate` */
export const runAggregate = (flags: AggregateFlags): Promise<ServiceResult> =>
	withStore(flags, {}, async (store, ports) => {
		const parent = await pickCardSet(store, 'extract', flags.cards);
		const report = await aggregate(parent.card_set_id, {...ports, store, aggregator: sameEventAggregator});
		const {batches, cards, violations, interrupted} = report;
		return {
			json: {...report},
			text: table([
				['batches', counted(batches)],
				['cards', counted(cards)],
				['violations', counted(violations)],
			]),
			exit: interrupted ? 130 : batches.pending > 0 ? 3 : 0,
		};
	});
