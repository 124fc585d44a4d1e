import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {Message} from '../../../src/domain/conversation.js';
import {silentProgress} from '../../../src/ports/progress.js';
import {type ImportConfig, importChats} from '../../../src/stages/import/import.js';
import {openStore, type Store} from '../../../src/store/store.js';

/** A clock that stands, since no result depends on it. */
const clock = {now: () => 1_800_000_000_000_000, monotonicMs: () => 0};

/** A new store in memory. */
export const memoryStore = (): Promise<Store> => openStore(':memory:', {clock, create: true});

/** Imports the paths as the command does. */
export const importInto = (store: Store, paths: readonly string[], config: Partial<ImportConfig> = {}) =>
	importChats(
		{paths, format: 'auto', line: 'main', assumeZone: 'UTC', strict: false, ...config},
		{store, clock, progress: silentProgress, signal: new AbortController().signal},
	);

/** All rows of conversations and messages, without where they came from. */
export async function rowsOf(store: Store): Promise<unknown> {
	const conversations = await store.db.all('SELECT * EXCLUDE (source_id) FROM conversations ORDER BY conversation_id');
	return {conversations, messages: await messagesOf(store)};
}

/** All messages, by conversation and place. */
export const messagesOf = (store: Store): Promise<Message[]> =>
	store.db.all('SELECT * FROM messages ORDER BY conversation_id, seq') as unknown as Promise<Message[]>;

/** Writes files below a folder, values other than text and bytes as JSON; returns the folder. */
export function writeFiles(root: string, files: Readonly<Record<string, unknown>>): string {
	for (const [name, content] of Object.entries(files)) {
		mkdirSync(dirname(join(root, name)), {recursive: true});
		const isPlain = typeof content === 'string' || content instanceof Uint8Array;
		writeFileSync(join(root, name), isPlain ? content : JSON.stringify(content));
	}
	return root;
}
