import {z} from 'zod';
import type {Attachment, Authorship, Role} from '../domain/conversation.js';
import {isObject, type JsonObject} from './other-products.js';

/** Names of members that mean the same across exports; the first one that can be read counts. */
export const ROLE_KEYS = ['role', 'author', 'sender', 'from', 'type'] as const;
export const TEXT_KEYS = ['text', 'content', 'message', 'value', 'body'] as const;
export const TIME_KEYS = ['created_at', 'createdAt', 'timestamp', 'time', 'date', 'create_time', 'ts'] as const;
export const UPDATED_KEYS = ['updated_at', 'updatedAt', 'update_time'] as const;
export const ID_KEYS = ['id', 'message_id', 'uuid'] as const;
export const PARENT_KEYS = ['parent_id', 'parent'] as const;
export const ORDINAL_KEYS = ['ordinal', 'seq', 'index'] as const;

const ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
	['user', 'user'],
	['human', 'user'],
	['memory', 'user'],
	['assistant', 'assistant'],
	['ai', 'assistant'],
	['bot', 'assistant'],
	['model', 'assistant'],
	['gpt', 'assistant'],
	['chatgpt', 'assistant'],
	['system', 'system'],
	['developer', 'system'],
	['tool', 'tool'],
	['function', 'tool'],
	['function_call', 'tool'],
	['observation', 'tool'],
]);

/** The role that a word stands for, or null. */
export const roleOfWord = (word: string): Role | null => ROLES.get(word.trim().toLowerCase()) ?? null;

/** The role of a message, or null when no member says one that is known. */
export function roleOf(record: JsonObject): Role | null {
	for (const key of ROLE_KEYS) {
		const value = record[key];
		const word = isObject(value) ? value.role : value;
		const role = typeof word === 'string' ? roleOfWord(word) : null;
		if (role) return role;
	}
	return null;
}

/** The name of who speaks: `speaker`, `name`, a name in `author`, or a role member that holds a name in place of a role. */
export function speakerOf(record: JsonObject): string | null {
	const author = isObject(record.author) ? record.author.name : undefined;
	const named = [record.speaker, record.name, author].find(isText);
	if (named !== undefined) return named;
	const other = [record.author, record.sender, record.from].find(isText);
	return other !== undefined && roleOfWord(other) === null ? other : null;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The first of the members that is a non-empty string or a number, as a string. */
export function idOf(record: JsonObject, keys: readonly string[]): string | null {
	for (const key of keys) {
		const value = record[key];
		if (isText(value) || typeof value === 'number') return String(value);
	}
	return null;
}

/** The first of the members that is there, also inside `metadata`. */
export function timeOf(record: JsonObject, keys: readonly string[]): unknown {
	const {metadata} = record;
	for (const place of isObject(metadata) ? [record, metadata] : [record]) {
		const key = keys.find(name => place[name] !== undefined && place[name] !== null);
		if (key !== undefined) return place[key];
	}
	return undefined;
}

const AUTHORSHIP = z.enum(['human', 'injected', 'unknown']).catch('unknown');

/** What the record itself says of who wrote it; else `unknown`. */
export const authorshipOf = (record: JsonObject): Authorship => AUTHORSHIP.parse(record.authorship);

/** What a person could see of a message's content. */
export interface Content {
	readonly text: string;
	readonly attachments: readonly Attachment[];
	/** Types of parts that are neither text, media nor known to be hidden. They stay in raw. */
	readonly unknownParts: readonly string[];
}

const EMPTY: Content = {text: '', attachments: [], unknownParts: []};

/** Reads the content from the first text member that has some; null when no member can be read as content. */
export function contentOf(record: JsonObject): Content | null {
	const read = TEXT_KEYS.flatMap(key => {
		const content = record[key] === undefined ? null : readContent(record[key]);
		return content ? [content] : [];
	});
	const extra = attachmentList(record.attachments);
	const best = read.find(({text, attachments}) => text !== '' || attachments.length > 0) ?? read[0];
	return best ? {...best, attachments: [...best.attachments, ...extra]} : null;
}

const Parts = z.array(z.unknown());
const Wrapped = z.union([z.looseObject({parts: Parts}), z.looseObject({text: z.string()})]);

function readContent(value: unknown): Content | null {
	if (value === null) return EMPTY;
	if (typeof value === 'string') return {...EMPTY, text: value};
	if (Array.isArray(value)) return joinParts(value);
	const wrapped = Wrapped.safeParse(value);
	if (!wrapped.success) return null;
	return 'parts' in wrapped.data ? joinParts(wrapped.data.parts as unknown[]) : {...EMPTY, text: wrapped.data.text};
}

/** Text parts are set apart by line breaks. */
function joinParts(parts: readonly unknown[]): Content {
	const read = parts.map(readPart);
	return {
		text: read.flatMap(part => (part.text === null ? [] : [part.text])).join('\n'),
		attachments: read.flatMap(part => (part.attachment ? [part.attachment] : [])),
		unknownParts: read.flatMap(part => (part.unknown === null ? [] : [part.unknown])),
	};
}

interface PartContent {
	readonly text: string | null;
	readonly attachment: Attachment | null;
	readonly unknown: string | null;
}

const NOTHING: PartContent = {text: null, attachment: null, unknown: null};
const TextPart = z.looseObject({
	type: z.enum(['text', 'input_text', 'output_text']).optional(),
	text: z.union([z.string(), z.looseObject({value: z.string()}).transform(({value}) => value)]),
});
const RefusalPart = z.looseObject({type: z.literal('refusal'), refusal: z.string()});
const HIDDEN = /thinking|reasoning|tool|function/;
const MEDIA = /image|audio|video|file|document/;

function readPart(part: unknown): PartContent {
	if (typeof part === 'string') return {...NOTHING, text: part};
	const text = TextPart.safeParse(part);
	if (text.success) return {...NOTHING, text: text.data.text};
	const refusal = RefusalPart.safeParse(part);
	if (refusal.success) return {...NOTHING, text: refusal.data.refusal};
	const type = isObject(part) && typeof part.type === 'string' ? part.type : null;
	if (!isObject(part) || type === null) return {...NOTHING, unknown: 'no type'};
	if (HIDDEN.test(type)) return NOTHING;
	const media = MEDIA.exec(type)?.[0];
	if (media === undefined) return {...NOTHING, unknown: type};
	return {...NOTHING, attachment: {name: nameOfMedia(part), type: media === 'document' ? 'file' : media, text: null}};
}

/** File name or last part of the address; an address that holds the data itself has no name. */
function nameOfMedia(part: JsonObject): string | null {
	const inner = Object.values(part).filter(isObject);
	const named = [part, ...inner].map(({filename, file_name, name}) => [filename, file_name, name].find(isText));
	const name = named.find(isText);
	if (name !== undefined) return name;
	const address = [part, ...inner].flatMap(({url, image_url}) => [url, image_url]).find(isText);
	return address === undefined ? null : lastOfUrl(address);
}

/** The last part of an address without query; null for data addresses and where there is none. */
export function lastOfUrl(address: string): string | null {
	if (address.startsWith('data:')) return null;
	const last = address
		.replace(/[?#].*$/s, '')
		.split('/')
		.at(-1);
	return last === undefined || last === '' ? null : last;
}

const AttachmentRecord = z.looseObject({
	name: z.string().optional().catch(undefined),
	file_name: z.string().optional().catch(undefined),
	type: z.string().optional().catch(undefined),
	text: z.string().optional().catch(undefined),
	extracted_content: z.string().optional().catch(undefined),
});

function attachmentList(value: unknown): Attachment[] {
	const list = z.array(AttachmentRecord).safeParse(value);
	if (!list.success) return [];
	return list.data.map(({name, file_name, type, text, extracted_content}) => ({
		name: name ?? file_name ?? null,
		type: type ?? null,
		text: text ?? extracted_content ?? null,
	}));
}
