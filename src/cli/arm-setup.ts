import {type Arm, loadArm} from '../arms/arm.js';
import {shaOf} from '../core/ids.js';
import type {StagePorts} from '../ports/ports.js';
import type {CardSet} from '../ports/store.js';
import {baselineJudge, openJudge} from '../stages/judge/judge.js';
import type {FunnelSetup} from '../stages/replay/funnel.js';
import {baselineShortlister} from '../stages/shortlist/shortlist.js';
import type {Store} from '../store/store.js';
import {modelPlaces, pickCardSet, pickEmbedder} from './session.js';

/** What a person may change of an arm on the command line. */
export interface ArmFlags {
	readonly embedder?: string | undefined;
	readonly availability?: string | undefined;
	readonly cards?: string | undefined;
	readonly 'model-dir'?: string | undefined;
	readonly offline?: boolean | undefined;
}

export interface ResolvedArm {
	readonly setup: FunnelSetup;
	/** Every setting, with card set and fingerprint: what the arm's sha is made of. */
	readonly config: Readonly<Record<string, unknown>>;
}

/** Reads an arm, applies the flags, and binds it to this file's cards, index and models. */
export async function resolveArm(
	nameOrFile: string,
	flags: ArmFlags,
	store: Store,
	ports: StagePorts,
): Promise<ResolvedArm> {
	const loaded = loadArm(nameOrFile);
	const arm: Arm = {
		...loaded,
		embedder: flags.embedder ?? loaded.embedder,
		availability: (flags.availability as Arm['availability'] | undefined) ?? loaded.availability,
	};
	const set: CardSet = await pickCardSet(store, 'aggregate', flags.cards);
	const embedder = await pickEmbedder(store, set.card_set_id, arm.embedder, modelPlaces(flags));
	const overridden = loaded.embedder !== 'auto' && arm.embedder !== loaded.embedder;
	const armName = overridden ? `${arm.name} (${embedder.name})` : arm.name;
	const shortlister = baselineShortlister(arm.shortlist_max);
	const judge = arm.judge === 'off' ? openJudge : baselineJudge;
	// `auto` is off until the file has entries, which no stage makes yet.
	const relationOn = false;
	const config = {
		...arm,
		name: armName,
		embedder: embedder.name,
		relation_on: relationOn,
		card_set_id: set.card_set_id,
		fingerprint: embedder.fingerprint,
		shortlister: shortlister.id,
		judge_model: judge.id,
		memory_zone: store.zone.name,
	};
	return {
		config,
		setup: {
			arm,
			armName,
			armSha: shaOf(config),
			cardSetId: set.card_set_id,
			relationOn,
			zone: store.zone,
			clock: ports.clock,
			embedder,
			shortlister,
			judge,
		},
	};
}
