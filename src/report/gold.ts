/** A judged message of a sample: which earlier messages would help to answer it, and whether any is needed at all. */
export interface GoldLine {
	readonly target: string;
	readonly helps: readonly string[];
	readonly reason: string;
	readonly needs_memory: boolean;
}

/** Gold lines with the ids of the memory file, and how many could not be found there. */
export interface ResolvedGold {
	readonly lines: readonly GoldLine[];
	readonly unknown: number;
}

/** What the comparison needs of an exposure. */
export interface GoldExposure {
	readonly arm: string;
	readonly target_id: string;
	/** Cards of the pool. */
	readonly candidate_ids: readonly string[];
	readonly shortlist: readonly string[];
	/** Messages of the quotes that were delivered. */
	readonly delivered: ReadonlySet<string>;
	readonly isDelivered: boolean;
}

/** How far a help came: the furthest step that it reached. */
export type HelpFate = 'delivered' | 'shortlisted' | 'in_pool' | 'not_found';

/** One arm over one sample, against gold. Counts of targets, but for the share. */
export interface GoldRow {
	readonly sample: string;
	readonly arm: string;
	readonly needed: {
		readonly targets: number;
		/** Targets with at least one help in the pool. */
		readonly in_pool: number;
		/** Share of a target's helps in the pool, mean over targets, 0..1; null without targets. */
		readonly pool_share: number | null;
		readonly shortlisted: number;
		/** Targets that were given a quote of at least one help. */
		readonly delivered_help: number;
		/** Targets that were given anything. */
		readonly delivered_any: number;
	};
	readonly not_needed: {
		readonly targets: number;
		/** Targets that were given nothing, as they should be. */
		readonly silent: number;
	};
}

/** @param idOf message_id of an id of the export; undefined when it is not in the file */
export function resolveGold(lines: readonly GoldLine[], idOf: (nativeId: string) => string | undefined): ResolvedGold {
	const known: GoldLine[] = [];
	let unknown = 0;
	for (const line of lines) {
		const target = idOf(line.target);
		const helps = line.helps.flatMap(help => idOf(help) ?? []);
		unknown += (target === undefined ? 1 : 0) + line.helps.length - helps.length;
		if (target !== undefined) known.push({...line, target, helps});
	}
	return {lines: known, unknown};
}

/** @param sourcesOf messages that a card quotes */
export function helpFate(
	help: string,
	exposure: GoldExposure,
	sourcesOf: (cardId: string) => ReadonlySet<string>,
): HelpFate {
	const isQuotedBy = (cardId: string) => sourcesOf(cardId).has(help);
	if (exposure.delivered.has(help)) return 'delivered';
	if (exposure.shortlist.some(isQuotedBy)) return 'shortlisted';
	return exposure.candidate_ids.some(isQuotedBy) ? 'in_pool' : 'not_found';
}

/** The exposures of one sample against its gold, a row an arm. Targets without a gold line do not count. */
export function goldRows(
	sample: string,
	arms: readonly string[],
	gold: readonly GoldLine[],
	exposures: readonly GoldExposure[],
	sourcesOf: (cardId: string) => ReadonlySet<string>,
): GoldRow[] {
	const goldOf = new Map(gold.map(line => [line.target, line]));
	return arms.map(arm => {
		const judged = exposures.flatMap(exposure => {
			const line = goldOf.get(exposure.target_id);
			if (exposure.arm !== arm || !line) return [];
			return [{line, exposure, fates: line.helps.map(help => helpFate(help, exposure, sourcesOf))}];
		});
		const needed = judged.filter(({line}) => line.needs_memory);
		const notNeeded = judged.filter(({line}) => !line.needs_memory);
		const withHelp = (wanted: readonly HelpFate[]) =>
			needed.filter(({fates}) => fates.some(fate => wanted.includes(fate))).length;
		const shares = needed.map(({fates}) => share(fates.filter(fate => fate !== 'not_found').length, fates.length));
		return {
			sample,
			arm,
			needed: {
				targets: needed.length,
				in_pool: withHelp(['in_pool', 'shortlisted', 'delivered']),
				pool_share: needed.length === 0 ? null : round(shares.reduce((sum, one) => sum + one, 0) / needed.length),
				shortlisted: withHelp(['shortlisted', 'delivered']),
				delivered_help: withHelp(['delivered']),
				delivered_any: needed.filter(({exposure}) => exposure.isDelivered).length,
			},
			not_needed: {
				targets: notNeeded.length,
				silent: notNeeded.filter(({exposure}) => !exposure.isDelivered).length,
			},
		};
	});
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const round = (value: number): number => Math.round(value * 1e4) / 1e4;
