import type {Instant, Zone} from '../../core/time.js';
import type {Pool, Segment} from '../../domain/exposure.js';
import {type GoldExposure, type GoldLine, type GoldRow, goldRows, helpFate, resolveGold} from '../../report/gold.js';
import {
	groupBy,
	type ShownBeat,
	type ShownExposure,
	type ShownGold,
	type ShownTarget,
	withGaps,
} from '../../report/shown.js';
import type {Database} from '../../store/duckdb.js';
import {type SessionFlags, withStore} from '../session.js';

/** The exposures of a memory file as a report shows them, compared with gold. */
export interface ReadExposures {
	readonly zone: Zone;
	readonly targets: readonly ShownTarget[];
	readonly gold: readonly GoldRow[];
}

interface Row {
	readonly arm: string;
	readonly line: string;
	readonly target_id: string;
	readonly conversation: string | null;
	readonly pool: Pool;
	readonly reason: string;
	readonly n_candidates: number;
	readonly candidate_ids: readonly string[];
	readonly shortlist: readonly string[];
	readonly segs: readonly number[];
	readonly segments: readonly Segment[];
}

interface Message {
	readonly message_id: string;
	readonly native_id: string | null;
	readonly line: string;
	readonly text: string;
	readonly speaker: string;
	readonly created_at: Instant | null;
}

interface Beat extends ShownBeat {
	readonly beat_id: string;
	readonly card_id: string;
	readonly title: string;
}

/**
 * Reads every exposure with its target, its quotes and their sources.
 * @param arms arms to show, in this order
 * @param gold judged messages by line, under the ids of the export
 */
export const readExposures = (
	flags: SessionFlags,
	arms: readonly string[],
	gold: ReadonlyMap<string, readonly GoldLine[]>,
): Promise<ReadExposures> =>
	withStore(flags, {}, async ({db, zone}) => {
		const rows = (await readRows(db)).filter(({arm}) => arms.includes(arm));
		const messages = new Map((await readMessages(db)).map(message => [message.message_id, message]));
		const beats = new Map((await readBeats(db)).map(beat => [beat.beat_id, beat]));
		const byCard = groupBy([...beats.values()], ({card_id}) => card_id);
		const sources = new Map([...byCard].map(([id, own]) => [id, new Set(own.map(({message_id}) => message_id))]));
		const sourcesOf = (cardId: string): ReadonlySet<string> => sources.get(cardId) ?? new Set();
		const goldOf = new Map<string, GoldLine>();
		const goldSummary: GoldRow[] = [];
		for (const [line, given] of gold) {
			const ids = new Map([...messages.values()].filter(message => message.line === line).map(m => [m.native_id, m]));
			const {lines} = resolveGold(given, nativeId => ids.get(nativeId)?.message_id);
			for (const one of lines) goldOf.set(one.target, one);
			const own = rows.filter(row => row.line === line).map(row => goldExposure(row, beats));
			goldSummary.push(...goldRows(line, arms, lines, own, sourcesOf));
		}
		const targets = [...groupBy(rows, ({target_id}) => target_id)].map(([id, found]): ShownTarget => {
			const own = found.sort((a, b) => arms.indexOf(a.arm) - arms.indexOf(b.arm));
			const message = messages.get(id)!;
			const line = goldOf.get(id);
			return {
				line: message.line,
				target_id: id,
				text: message.text,
				at: message.created_at,
				conversation: own[0]!.conversation ?? 'untitled',
				exposures: own.map(row => shownExposure(row, beats)),
				gold: line
					? shownGold(
							line,
							own.map(row => goldExposure(row, beats)),
							messages,
							sourcesOf,
						)
					: null,
			};
		});
		return {zone, targets, gold: goldSummary};
	});

/** In the order of lines and times. */
const readRows = async (db: Database): Promise<Row[]> =>
	(await db.all(
		`SELECT e.arm, e.line, e.target_id, c.title AS conversation, e.pool, e.reason, e.n_candidates, e.candidate_ids,
			e.shortlist, e.segs, e.segments
		FROM exposures e JOIN messages m ON m.message_id = e.target_id JOIN conversations c ON c.conversation_id = m.conversation_id
		WHERE e.repeat = 0
		ORDER BY e.line, m.created_at NULLS LAST, m.conversation_id, m.seq, e.arm`,
	)) as unknown as Row[];

const readMessages = async (db: Database): Promise<Message[]> =>
	(await db.all(
		`SELECT m.message_id, m.native_id, c.line, m.text, coalesce(m.speaker, m.role) AS speaker, m.created_at
		FROM messages m JOIN conversations c USING (conversation_id) ORDER BY m.message_id`,
	)) as unknown as Message[];

/** Quotes that may be delivered. */
const readBeats = async (db: Database): Promise<Beat[]> =>
	(await db.all(
		`SELECT b.beat_id, b.card_id, c.title, b.quote, b.message_id, b.char_start, b.char_end, b.observed_at AS at,
			coalesce(b.speaker, b.role, '') AS speaker
		FROM beats b JOIN cards c USING (card_id)
		WHERE b.verification <> 'none' AND b.absorbed_by IS NULL AND b.filtered_reason IS NULL ORDER BY b.beat_id`,
	)) as unknown as Beat[];

const shownExposure = (
	{arm, pool, reason, n_candidates, segs, segments}: Row,
	beats: ReadonlyMap<string, Beat>,
): ShownExposure => ({
	arm,
	pool,
	reason,
	n_candidates,
	segments: segments.map(({card_id, beat_ids, text}, i) => {
		const own = beat_ids.flatMap(id => beats.get(id) ?? []);
		return {card_id, title: own[0]?.title ?? card_id, parts: withGaps(text, own), delivered: segs.includes(i + 1)};
	}),
});

function goldExposure(row: Row, beats: ReadonlyMap<string, Beat>): GoldExposure {
	const {arm, target_id, candidate_ids, shortlist, segs, segments, pool} = row;
	const given = segments.filter((_, i) => segs.includes(i + 1)).flatMap(({beat_ids}) => beat_ids);
	const delivered = new Set(given.flatMap(id => beats.get(id)?.message_id ?? []));
	return {arm, target_id, candidate_ids, shortlist, delivered, isDelivered: pool === 'delivered'};
}

function shownGold(
	{needs_memory, reason, helps}: GoldLine,
	exposures: readonly GoldExposure[],
	messages: ReadonlyMap<string, Message>,
	sourcesOf: (cardId: string) => ReadonlySet<string>,
): ShownGold {
	const shown = helps.map(help => {
		const {text, speaker, created_at} = messages.get(help)!;
		const fates = exposures.map(exposure => ({arm: exposure.arm, fate: helpFate(help, exposure, sourcesOf)}));
		return {message_id: help, text, speaker, at: created_at, fates};
	});
	return {needs_memory, reason, helps: shown};
}
