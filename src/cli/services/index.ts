import {loadEmbedder} from '../../embedders/registry.js';
import {buildIndex} from '../../stages/index/build-index.js';
import type {ServiceResult} from '../result.js';
import {modelPlaces, pickCardSet, type SessionFlags, table, withStore} from '../session.js';

export interface IndexFlags extends SessionFlags {
	readonly embedder: string;
	readonly cards?: string | undefined;
	readonly 'model-dir'?: string | undefined;
}

/** `hindcast index` */
export const runIndex = (flags: IndexFlags): Promise<ServiceResult> =>
	withStore(flags, {}, async (store, ports) => {
		const set = await pickCardSet(store, 'aggregate', flags.cards);
		const embedder = await loadEmbedder(flags.embedder, modelPlaces(flags));
		if (flags.embedder === 'auto') ports.progress.note(`embedder: ${embedder.name}`);
		const report = await buildIndex(
			{cardSetId: set.card_set_id, recipes: ['plain', 'context']},
			{...ports, store, embedder},
		);
		return {
			json: {...report},
			text: table([
				['fingerprint', report.fingerprint],
				['m2 rows', report.m2_rows],
				['m4 rows', report.m4_rows],
				['embedded', `${report.embedded} (reused ${report.reused}, cut ${report.truncated})`],
			]),
			exit: report.interrupted ? 130 : 0,
		};
	});
