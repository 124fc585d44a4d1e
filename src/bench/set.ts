import {basename} from 'node:path';
import {sha256} from '../core/ids.js';
import type {Question} from '../domain/conversation.js';
import {sameEventAggregator} from '../models/baseline/same-event.js';
import {verbatimExtractor} from '../models/baseline/verbatim.js';
import type {StagePorts} from '../ports/ports.js';
import type {LineMessage} from '../ports/store.js';
import {aggregate} from '../stages/aggregate/aggregate.js';
import {extract} from '../stages/extract/extract.js';
import {importChats} from '../stages/import/import.js';
import {openStore, type Store} from '../store/store.js';

/** A bench set as a memory: imported, carded and joined in a store of its own. */
export interface BenchSet {
	readonly name: string;
	readonly store: Store;
	readonly cardSetId: string;
	/** Questions by line. */
	readonly questions: ReadonlyMap<string, readonly Question[]>;
}

/** A message as the rivals index it. */
export interface BenchMessage extends LineMessage {
	readonly message_id: string;
	readonly speaker: string | null;
}

export type Fold = 'a' | 'b';

/** A conversation's fold, by the parity of the sha256 of its id (its last hex digit). */
export const foldOf = (line: string): Fold => (Number.parseInt(sha256(line).at(-1)!, 16) % 2 === 0 ? 'a' : 'b');

/**
 * Builds a set the way a person would: import, `extract --extractor verbatim --assistant-beats all`, aggregate.
 * @param folder with conversations.jsonl and queries.jsonl
 */
export async function buildSet(folder: string, ports: StagePorts): Promise<BenchSet> {
	const store = await openStore(':memory:', {create: true, zone: 'UTC', clock: ports.clock});
	const importing = {paths: [folder], format: 'auto', line: 'main', assumeZone: 'UTC', strict: false};
	await importChats(importing, {...ports, store});
	const config = {assistantBeats: 'all', day: null, since: null, until: null, retryFailed: false} as const;
	const extracted = await extract(config, {...ports, store, extractor: verbatimExtractor, zone: store.zone});
	const joined = await aggregate(extracted.card_set_id, {...ports, store, aggregator: sameEventAggregator});
	const questions = new Map<string, Question[]>();
	for (const question of await store.questions()) {
		const list = questions.get(question.line);
		if (list) list.push(question);
		else questions.set(question.line, [question]);
	}
	return {name: basename(folder), store, cardSetId: joined.card_set_id, questions};
}

/** Visible messages of a line in time order. */
export async function messagesOf(set: BenchSet, line: string): Promise<BenchMessage[]> {
	const rows = await set.store.db.all(
		`SELECT m.message_id, m.conversation_id, m.seq, m.text, m.created_at, coalesce(m.speaker, m.role) AS speaker
		FROM messages m JOIN conversations c USING (conversation_id)
		WHERE c.line = ? AND m.is_visible AND trim(m.text) <> '' ORDER BY m.created_at, m.conversation_id, m.seq`,
		[line],
	);
	return rows as unknown as BenchMessage[];
}

/** At most `count` questions of a set by even stride over all lines, so that a quick look sees the whole. */
export function stride(set: BenchSet, count: number | null): ReadonlyMap<string, readonly Question[]> {
	const all = [...set.questions.values()].flat();
	if (count === null || all.length <= count) return set.questions;
	const kept = new Set(Array.from({length: count}, (_, i) => all[Math.floor((i * all.length) / count)]!));
	return new Map([...set.questions].map(([line, list]) => [line, list.filter(question => kept.has(question))]));
}
