import type {Sample} from './port.js';

/** A JSON object whose members are not known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object: no array, not null. */
export const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const has = (record: unknown, ...keys: string[]): record is JsonObject =>
	isObject(record) && keys.every(key => key in record);
const hasObject = (record: JsonObject, key: string): boolean => isObject(record[key]);
const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);
const messagesOf = (record: JsonObject): readonly unknown[] =>
	isObject(record.mapping)
		? Object.values(record.mapping).map(node => (isObject(node) ? node.message : undefined))
		: [];

/**
 * Exports that this version cannot read, by the shape of one record; the first that fits counts. They are named in the
 * error, and kept from passing for messages of no particular product. A row goes when its importer comes.
 */
const OTHER_PRODUCTS: readonly (readonly [string, (record: JsonObject) => boolean])[] = [
	['Codex CLI', r => has(r, 'type') && hasObject(r, 'payload')],
	['Gemini CLI', r => has(r, 'sessionId', 'projectHash')],
	['SillyTavern', r => has(r, 'user_name', 'character_name') || has(r, 'mes', 'is_user')],
	['DeepSeek', r => hasObject(r, 'mapping') && ('inserted_at' in r || messagesOf(r).some(m => has(m, 'fragments')))],
	['Grok', r => has(firstOf(r.conversations), 'conversation', 'responses')],
	['Open WebUI', r => isObject(r.chat) && isObject(r.chat.history)],
	['LibreChat', r => has(r, 'conversationId', 'messages')],
	['TypingMind', r => isObject(r.data) && has(firstOf(r.data.chats), 'chatID')],
	['Cherry Studio', r => has(r, 'localStorage', 'indexedDB')],
	['Google AI Studio', r => isObject(r.chunkedPrompt)],
	['LM Studio', r => has(firstOf(r.messages), 'versions')],
	['Gemini Apps (Takeout)', r => has(r, 'header', 'title', 'time', 'products')],
	['LongMemEval', r => has(r, 'haystack_sessions')],
];

/** Records that are looked at. */
const LOOK_MAX = 20;

/** The product whose export a record comes from, or null. */
export function productOf(record: unknown): string | null {
	if (!isObject(record)) return null;
	return OTHER_PRODUCTS.find(([, fits]) => fits(record))?.[0] ?? null;
}

/** The product that a sample looks like, or null. */
export function otherProduct(sample: Sample): string | null {
	for (const record of sample.records.slice(0, LOOK_MAX)) {
		const product = productOf(record);
		if (product !== null) return product;
	}
	return null;
}
