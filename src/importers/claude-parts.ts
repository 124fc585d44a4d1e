import {isObject, type JsonObject} from './other-products.js';

/** What else a Claude.ai export holds besides chats, by the shape of one record, and the reason that is counted. */
const PARTS: readonly (readonly [string, (record: JsonObject) => boolean])[] = [
	// Written by the provider's model, so never the user's words.
	['provider_memory', r => 'account_uuid' in r && ('conversations_memory' in r || 'project_memories' in r)],
	['account_data', r => 'uuid' in r && 'full_name' in r && 'email_address' in r],
	['project', r => 'uuid' in r && 'name' in r && ('prompt_template' in r || Array.isArray(r.docs))],
];

/** Why a record of a Claude.ai export is left out, or null when it is none of these. */
export function partOf(record: unknown): string | null {
	if (!isObject(record) || 'messages' in record || 'chat_messages' in record) return null;
	return PARTS.find(([, fits]) => fits(record))?.[0] ?? null;
}

const PART_NAME =
	/^(?:data-[\w-]*batch-\d+|(?:conversations|projects|memories|users|design_chats)(?:-\d+)?)\.(?:zip|json)$/i;
const LOOK_DEPTH = 5;
const LOOK_MAX = 2000;

/**
 * The names of the parts to which a manifest of the export of 2026-08 and later links; empty when the record is no
 * manifest. Its members are not known for certain, so every address in it is looked at.
 */
export function manifestParts(record: unknown): string[] {
	if (!isObject(record) || ['messages', 'chat_messages', 'mapping'].some(key => key in record)) return [];
	const names = new Set<string>();
	let level: unknown[] = [record];
	for (let depth = 0; depth < LOOK_DEPTH; depth += 1) {
		for (const value of level) for (const name of namesIn(value)) names.add(name);
		level = level.flatMap(value => (typeof value === 'object' && value !== null ? Object.values(value) : []));
		if (level.length > LOOK_MAX) return [];
	}
	return [...names].sort();
}

/** Part names in an address: the last piece of its path, or a file name in its query. */
function namesIn(value: unknown): string[] {
	if (typeof value !== 'string' || !/^https?:\/\/\S+$/.test(value)) return [];
	const pieces = decode(value).split(/[/?#&=;"\s]+/);
	return pieces.filter(piece => PART_NAME.test(piece));
}

/** The address with its escapes read; as it is when they are broken. */
function decode(address: string): string {
	try {
		return decodeURIComponent(address);
	} catch {
		return address;
	}
}

/** What to do with a manifest, in words. */
export function manifestAdvice(parts: readonly string[]): string {
	const chats = parts.filter(name => /^(?:data-|conversations|design_chats)/i.test(name));
	const others = parts.filter(name => !chats.includes(name));
	const fetch =
		chats.length > 0
			? `fetch ${chats.join(', ')} from the links in it and import`
			: 'no part with chats is named; fetch the parts in it and import';
	const rest = others.length > 0 ? ` (${others.join(', ')}: no chats)` : '';
	return `a manifest of download links, it holds no chats: ${fetch} those${rest}`;
}
