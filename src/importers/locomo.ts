import {z} from 'zod';
import type {Instant} from '../core/time.js';
import type {Attachment} from '../domain/conversation.js';
import {lastOfUrl} from './fields.js';
import {placeOf, readGood} from './json-records.js';
import {isObject, type JsonObject} from './other-products.js';
import type {
	ConversationDraft,
	Draft,
	ImportContext,
	Importer,
	ImportFile,
	MessageDraft,
	QuestionDraft,
} from './port.js';

const Turn = z.looseObject({
	speaker: z.string(),
	dia_id: z.string(),
	text: z.string(),
	img_url: z
		.union([z.array(z.string()), z.string().transform(url => [url])])
		.optional()
		.catch(undefined),
	blip_caption: z.string().optional().catch(undefined),
});
type Turn = z.infer<typeof Turn>;

const QuestionRecord = z.looseObject({
	question: z.string(),
	answer: z.union([z.string(), z.number().transform(String)]).optional(),
	evidence: z.union([z.array(z.string()), z.string().transform(id => [id])]).default([]),
	category: z.coerce.number(),
});

const SampleRecord = z.looseObject({
	sample_id: z.string(),
	conversation: z.looseObject({speaker_a: z.string(), speaker_b: z.string()}),
	qa: z.array(z.unknown()).default([]),
});
type SampleRecord = z.infer<typeof SampleRecord>;

/** Names of the numbers in the data, which do not follow the order of the paper. */
const CATEGORIES: ReadonlyMap<number, string> = new Map([
	[1, 'multi-hop'],
	[2, 'temporal'],
	[3, 'open-domain'],
	[4, 'single-hop'],
	[5, 'adversarial'],
]);
/** Its questions have no answer in the talk. */
const ADVERSARIAL = 5;
/** Made from the talk by a model; kept out, counted. */
const SUMMARIES = ['event_summary', 'observation', 'session_summary'] as const;

/** LoCoMo (locomo10.json): long talks of two people with questions. A line of memory a sample, a conversation a session. */
export const locomo: Importer = {
	id: 'locomo',
	version: 1,
	looksFor: 'samples with "conversation.speaker_a" and "session_N", or "qa" with evidence',
	sniff: ({records}) => records.some(isSample),
	read,
};

function isSample(record: unknown): boolean {
	if (!isObject(record)) return false;
	const {conversation, qa} = record;
	if (isObject(conversation) && typeof conversation.speaker_a === 'string') return true;
	const first = Array.isArray(qa) ? qa[0] : undefined;
	return isObject(first) && 'question' in first && Array.isArray(first.evidence) && 'category' in first;
}

async function* read(file: ImportFile, context: ImportContext): AsyncGenerator<Draft> {
	for await (const {value, position} of readGood(file, context)) {
		const sample = SampleRecord.safeParse(value);
		if (sample.success) yield* readSample(sample.data, file.path, context);
		else context.warn('unknown_record', placeOf(file, position), z.prettifyError(sample.error).split('\n')[0]);
	}
}

function* readSample(sample: SampleRecord, path: string, context: ImportContext): Generator<Draft> {
	const {sample_id, qa} = sample;
	const ids = new Set<string>();
	for (const session of sessionsOf(sample.conversation)) {
		const where = `${path} ${sample_id} session_${session}`;
		const turns = sample.conversation[`session_${session}`];
		if (!Array.isArray(turns)) {
			context.skip('session_without_turns');
			continue;
		}
		const draft = readSession({sample, session, turns, where}, context);
		for (const {native_id} of draft.messages) if (native_id !== null) ids.add(native_id);
		yield draft;
	}
	for (const key of SUMMARIES) {
		const count = isObject(sample[key]) ? Object.keys(sample[key]).length : 0;
		for (let index = 0; index < count; index += 1) context.skip(key);
	}
	for (const [index, record] of qa.entries()) {
		yield* readQuestion({record, sample_id, ids, where: `${path} ${sample_id} qa[${index}]`}, context);
	}
}

/** Numbers of the sessions that have turns or a date, in order. */
function sessionsOf(conversation: JsonObject): number[] {
	const numbers = Object.keys(conversation).flatMap(key => /^session_(\d+)(?:_date_time)?$/.exec(key)?.[1] ?? []);
	return [...new Set(numbers.map(Number))].sort((a, b) => a - b);
}

interface Session {
	readonly sample: SampleRecord;
	readonly session: number;
	readonly turns: readonly unknown[];
	readonly where: string;
}

function readSession({sample, session, turns, where}: Session, context: ImportContext): ConversationDraft {
	const date = sample.conversation[`session_${session}_date_time`];
	const at = readDate(date, where, context);
	const messages = turns.flatMap((record, index) => {
		const turn = Turn.safeParse(record);
		if (turn.success) return [messageOf(turn.data, {sample, at, isFirst: index === 0, where}, context)];
		context.warn('unknown_record', `${where}[${index}]`);
		return [];
	});
	return {
		type: 'conversation',
		native_id: `${sample.sample_id}:session_${session}`,
		title: null,
		created_at: at,
		updated_at: null,
		kind: 'people',
		line: `locomo:${sample.sample_id}`,
		do_not_remember: false,
		extra: typeof date === 'string' ? {session_date_time: date} : null,
		messages,
	};
}

const DATE = /^\s*(\d{1,2}):(\d{2})\s*([ap]m)\s+on\s+(\d{1,2})\s+([a-z]+),?\s+(\d{4})\s*$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `1:56 pm on 8 May, 2023` as ISO without zone; null when it is written otherwise. */
export function isoOfSessionDate(date: string): string | null {
	const [, hour = '', minute = '', half = '', day = '', month = '', year = ''] = DATE.exec(date) ?? [];
	const number = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
	if (number === 0 || month === '') return null;
	const hours = (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
	const two = (value: number | string): string => String(value).padStart(2, '0');
	return `${year}-${two(number)}-${two(day)}T${two(hours)}:${minute}:00`;
}

function readDate(date: unknown, where: string, context: ImportContext): Instant | null {
	if (date === undefined || date === null) return null;
	// What is written otherwise goes on as it is, so that the warning shows it.
	return context.time(typeof date === 'string' ? (isoOfSessionDate(date) ?? date) : date, where);
}

interface TurnPlace {
	readonly sample: SampleRecord;
	readonly at: Instant | null;
	readonly isFirst: boolean;
	readonly where: string;
}

function messageOf(turn: Turn, {sample, at, isFirst, where}: TurnPlace, context: ImportContext): MessageDraft {
	const {speaker_a, speaker_b} = sample.conversation;
	if (turn.speaker !== speaker_a && turn.speaker !== speaker_b) {
		context.warn('unknown_speaker', `${where} ${turn.dia_id}`, turn.speaker);
	}
	return {
		native_id: turn.dia_id,
		parent_native_id: null,
		role: turn.speaker === speaker_b ? 'assistant' : 'user',
		speaker: turn.speaker,
		text: turn.text,
		created_at: at,
		// The date is that of the session: exact for its first turn only.
		...(isFirst ? {} : {time_inherited: true}),
		authorship: 'human',
		status: 'done',
		is_visible: true,
		attachments: imagesOf(turn),
		raw: turn,
	};
}

/** One image for each address; the caption belongs to the first. */
function imagesOf({img_url = [], blip_caption}: Turn): Attachment[] {
	const names = img_url.map(lastOfUrl);
	if (names.length === 0 && blip_caption !== undefined) names.push(null);
	return names.map((name, index) => ({name, type: 'image', text: index === 0 ? (blip_caption ?? null) : null}));
}

interface QuestionPlace {
	readonly record: unknown;
	readonly sample_id: string;
	readonly ids: ReadonlySet<string>;
	readonly where: string;
}

function* readQuestion(
	{record, sample_id, ids, where}: QuestionPlace,
	context: ImportContext,
): Generator<QuestionDraft> {
	const parsed = QuestionRecord.safeParse(record);
	if (!parsed.success) {
		context.warn('unknown_record', where);
		return;
	}
	const {question, answer, evidence, category, ...extra} = parsed.data;
	yield {
		type: 'question',
		native_id: null,
		line: `locomo:${sample_id}`,
		text: question,
		asked_at: null,
		evidence_native_ids: resolveEvidence(evidence, ids, (kind, text) => context.warn(kind, where, text)),
		category: CATEGORIES.get(category) ?? String(category),
		answerable: category !== ADVERSARIAL,
		answer: answer ?? null,
		context: null,
		extra: Object.keys(extra).length === 0 ? null : extra,
	};
}

const DIA_ID = /^D\d+:\d+$/;

/**
 * The ids that evidence strings name. A string of several ids is split; one that is no id, or names no turn, is
 * dropped, since what was meant could only be guessed.
 */
export function resolveEvidence(
	evidence: readonly string[],
	ids: ReadonlySet<string>,
	warn: (kind: 'evidence_malformed' | 'evidence_unresolved', text: string) => void,
): string[] {
	const found = evidence.flatMap(text => {
		const parts = text.split(/[;,\s]+/).filter(part => part !== '');
		if (parts.length === 0 || !parts.every(part => DIA_ID.test(part))) {
			warn('evidence_malformed', text);
			return [];
		}
		return parts.filter(part => {
			if (ids.has(part)) return true;
			warn('evidence_unresolved', part);
			return false;
		});
	});
	return [...new Set(found)];
}
