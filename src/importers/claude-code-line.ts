import {createHash} from 'node:crypto';
import {z} from 'zod';
import {isObject, type JsonObject} from './other-products.js';

const Text = z.string().min(1).optional().catch(undefined);
const Flag = z.boolean().catch(false);
const Part = z.looseObject({}).optional().catch(undefined);

/** A line of a transcript. Each member is read for itself: one of an unexpected type costs nothing but that member. */
const LineRecord = z.looseObject({
	type: Text,
	subtype: Text,
	uuid: Text,
	parentUuid: z.string().min(1).nullable().optional().catch(undefined),
	logicalParentUuid: Text,
	sessionId: Text,
	session_id: Text,
	timestamp: z.unknown().optional(),
	agentId: Text,
	isSidechain: Flag,
	isMeta: Flag,
	isCompactSummary: Flag,
	isApiErrorMessage: Flag,
	origin: Part,
	message: Part,
	attachment: Part,
});
export type CodeLine = z.infer<typeof LineRecord>;

/** Types that hold no message; they are counted and left out. `attachment` is one unless the user typed it. */
const SIDECARS: ReadonlySet<string> = new Set([
	'file-history-snapshot',
	'file-history-delta',
	'queue-operation',
	'progress',
	'attachment',
	'ai-title',
	'custom-title',
	'agent-name',
	'agent-color',
	'agent-setting',
	'summary',
	'last-prompt',
	'mode',
	'permission-mode',
	'pr-link',
	'bridge-session',
	'worktree-state',
	'content-replacement',
	'tag',
	'init',
	'result',
]);

/** What a line holds; `queued` is what the user typed while a tool ran. */
export type LineKind = 'user' | 'assistant' | 'system' | 'queued' | 'sidecar' | 'unknown';

/** The members of a line that are known; null when the record is no object. */
export function codeLine(record: unknown): CodeLine | null {
	const parsed = LineRecord.safeParse(record);
	return parsed.success ? parsed.data : null;
}

/** Tells a line's kind by its type and by what it carries. */
export function kindOfLine({type, message, attachment}: CodeLine): LineKind {
	if (type === 'user' || type === 'human') return message ? 'user' : 'unknown';
	if (type === 'assistant') return message ? 'assistant' : 'unknown';
	if (type === 'system') return 'system';
	if (type === 'attachment' && attachment?.type === 'queued_command' && hasPrompt(attachment)) return 'queued';
	return type !== undefined && SIDECARS.has(type) ? 'sidecar' : 'unknown';
}

const hasPrompt = ({prompt}: JsonObject): boolean =>
	(typeof prompt === 'string' && prompt.trim() !== '') || (Array.isArray(prompt) && prompt.length > 0);

/** The session that a line names. Streams of the command line spell it in snake case. */
export const sessionOf = ({sessionId, session_id}: CodeLine): string | null => sessionId ?? session_id ?? null;

/** Whether a record is a line of a transcript, beyond doubt. */
export function isCodeLine(record: unknown): boolean {
	const line = codeLine(record);
	if (!line || isObject((record as JsonObject).payload)) return false;
	if (line.type === 'summary') return 'leafUuid' in line;
	if (line.type === 'file-history-snapshot') return 'snapshot' in line;
	const isKnown = line.type !== undefined && SIDECARS.has(line.type);
	return line.sessionId !== undefined && (line.parentUuid !== undefined || line.message !== undefined || isKnown);
}

/** Texts of base64 that are longer than this are not kept, in characters. */
const BASE64_MAX = 1024;
const BASE64 = /^(?:data:[^,]{0,200};base64,)?[A-Za-z0-9+/_\r\n-]+={0,2}[\r\n]{0,2}$/;
const BASE64_KEYS: ReadonlySet<string> = new Set(['data', 'base64', 'url', 'image_url']);

/**
 * The record with long base64 (screenshots of megabytes) replaced by its length and sha256: what a person could read is
 * all there, and the file of memory stays in the order of the words. Everything else is the same value, not a copy.
 */
export function withoutBase64(value: unknown, key = ''): unknown {
	if (typeof value === 'string') return BASE64_KEYS.has(key) ? markerFor(value) : value;
	if (Array.isArray(value)) {
		const items = value.map(item => withoutBase64(item, key));
		return items.some((item, index) => item !== value[index]) ? items : value;
	}
	if (!isObject(value)) return value;
	const entries = Object.entries(value).map(([name, item]): [string, unknown] => [name, withoutBase64(item, name)]);
	return entries.some(([name, item]) => item !== value[name]) ? Object.fromEntries(entries) : value;
}

function markerFor(text: string): string {
	if (text.length <= BASE64_MAX || !BASE64.test(text)) return text;
	const digest = createHash('sha256').update(text).digest('hex');
	return `[base64 left out: ${text.length} characters, sha256 ${digest}]`;
}
