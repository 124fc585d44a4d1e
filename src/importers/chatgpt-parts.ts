import {z} from 'zod';
import type {Attachment} from '../domain/conversation.js';
import {isObject, type JsonObject} from './other-products.js';

/** What a person could see of the parts of a message. */
export interface Parts {
	/** Texts in order, set apart by line breaks. */
	readonly text: string;
	readonly attachments: readonly Attachment[];
	/** Types of parts that are neither text nor media. */
	readonly unknown: readonly string[];
}

interface Read {
	readonly text?: string;
	/** Id of the file, and its kind. */
	readonly media?: {readonly id: string; readonly kind: string};
	readonly unknown?: string;
}

/** Also the words of a voice chat (`audio_transcription`). */
const TextPart = z.looseObject({text: z.string()});
const POINTER_KEYS = ['audio_asset_pointer', 'video_container_asset_pointer'] as const;

/**
 * Reads the parts of a text, with the files that the metadata name. Files are named as the metadata have it, else as
 * the export's lists of files do, else by their id, since the export gives their bytes under it.
 */
export function readParts(
	parts: readonly unknown[],
	metadata: JsonObject,
	names: ReadonlyMap<string, string> = new Map(),
): Parts {
	const read = parts.map(readPart);
	const files = filesOf(metadata, names);
	const pointed = read.flatMap(({media}) => (media ? [media] : []));
	const named = pointed.map(
		({id, kind}): Attachment => ({name: files.get(id)?.name ?? names.get(id) ?? id, type: kind, text: null}),
	);
	const shown = new Set(pointed.map(({id}) => id));
	const rest = [...files].flatMap(([id, file]): Attachment[] => (shown.has(id) ? [] : [file]));
	return {
		text: read.flatMap(({text}) => (text === undefined ? [] : [text])).join('\n'),
		attachments: [...named, ...rest],
		unknown: read.flatMap(({unknown}) => (unknown === undefined ? [] : [unknown])),
	};
}

function readPart(part: unknown): Read {
	if (typeof part === 'string') return {text: part};
	if (part === null) return {};
	const text = TextPart.safeParse(part);
	if (text.success) return {text: text.data.text};
	if (!isObject(part)) return {unknown: typeof part};
	const type = typeof part.content_type === 'string' ? part.content_type : 'no type';
	const inner = POINTER_KEYS.map(key => part[key]).find(isObject);
	const id = pointerId(part) ?? (inner ? pointerId(inner) : null);
	if (id === null) return {unknown: type};
	return {media: {id, kind: /image|audio|video/.exec(type)?.[0] ?? 'file'}};
}

/** The id in `file-service://file-…` or `sediment://file_…`. */
function pointerId({asset_pointer}: JsonObject): string | null {
	return typeof asset_pointer === 'string' && asset_pointer !== '' ? asset_pointer.replace(/^[\w-]+:\/\//, '') : null;
}

const OptionalText = z.string().optional().catch(undefined);
const FileRecord = z.looseObject({
	id: OptionalText,
	name: OptionalText,
	mime_type: OptionalText,
	mimeType: OptionalText,
});

/** Files that came with the message, by id. */
function filesOf({attachments}: JsonObject, names: ReadonlyMap<string, string>): Map<string, Attachment> {
	const files = new Map<string, Attachment>();
	for (const [index, item] of (Array.isArray(attachments) ? attachments : []).entries()) {
		const {data} = FileRecord.safeParse(item);
		if (!data) continue;
		const mime = data.mime_type ?? data.mimeType ?? '';
		const type = /^(?:image|audio|video)(?=\/)/.exec(mime)?.[0] ?? (mime === '' ? 'file' : mime);
		const {id, name = id === undefined ? undefined : (names.get(id) ?? id)} = data;
		files.set(id ?? `#${index}`, {name: name ?? null, type, text: null});
	}
	return files;
}
