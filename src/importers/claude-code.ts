import type {CodeLine} from './claude-code-line.js';
import {codeLine, isCodeLine, kindOfLine, type LineKind, sessionOf, withoutBase64} from './claude-code-line.js';
import type {CodeRow} from './claude-code-message.js';
import {threadMessages} from './claude-code-thread.js';
import {CodeTitles} from './claude-code-titles.js';
import {envelopeOf} from './envelope.js';
import {idOf} from './fields.js';
import {layoutOfFile, placeOf, readGood, readRecords} from './json-records.js';
import {isObject, type JsonObject} from './other-products.js';
import type {ConversationDraft, ImportContext, Importer, ImportFile, Sample} from './port.js';
import {RowGroups} from './rows.js';

/** The member that holds the lines of a session that ran on the web. */
const WEB_MEMBER = 'loglines';
/** Key of lines in front of any that names its session. */
const NO_SESSION = '';

/** Claude Code: transcripts of sessions and of their subagents, a line a message or a part of one. */
export const claudeCode: Importer = {
	id: 'claude-code',
	version: 1,
	looksFor: 'lines with "sessionId" and "parentUuid" or "message"',
	sniff: sample => sample.records.some(isCodeLine) || isWebSession(sample),
	read,
};

function isWebSession({shape, records}: Sample): boolean {
	const first = records[0];
	if (shape !== 'object' || !isObject(first) || !Array.isArray(first[WEB_MEMBER])) return false;
	return first[WEB_MEMBER].some(item => isObject(item) && typeof item.type === 'string');
}

/** Whether a line belongs to a session: it holds a message, or others may name it as the one that they follow. */
const isRow = (line: CodeLine, kind: LineKind): boolean =>
	kind === 'sidecar' || kind === 'unknown' ? line.uuid !== undefined : true;

/** The session of each line; one that names none belongs to that of the line before it. */
class SessionKeys {
	#last = NO_SESSION;

	of(line: CodeLine): string {
		this.#last = sessionOf(line) ?? this.#last;
		return this.#last;
	}
}

interface Survey {
	/** How many rows each session has. */
	readonly counts: Map<string, number>;
	readonly titles: CodeTitles;
}

/** A first reading, so that a session leaves when its last line is there and its title, which may come late, is known. */
async function surveyOf(file: ImportFile, member: string | null): Promise<Survey> {
	const counts = new Map<string, number>();
	const titles = new CodeTitles();
	const keys = new SessionKeys();
	for await (const record of readRecords(file, {member})) {
		const line = record.ok ? codeLine(record.value) : null;
		if (!line) continue;
		const key = keys.of(line);
		titles.note(key, line);
		if (isRow(line, kindOfLine(line))) counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return {counts, titles};
}

async function* read(file: ImportFile, context: ImportContext): AsyncGenerator<ConversationDraft> {
	const layout = await layoutOfFile(file);
	const isWeb = isWebSession(layout);
	const member = isWeb ? WEB_MEMBER : null;
	const {counts, titles} = await surveyOf(file, member);
	const webId = isWeb && isObject(layout.records[0]) ? idOf(layout.records[0], ['session_id', 'id', 'uuid']) : null;
	const groups = new RowGroups<CodeRow>(counts);
	const keys = new SessionKeys();
	const unknown = new Set<string>();
	let found = 0;
	const draftsOf = function* (key: string, rows: readonly CodeRow[]): Generator<ConversationDraft> {
		const session = key === NO_SESSION ? webId : key;
		for (const draft of sessionDrafts({session, rows, title: titles.of(key, rows)}, context)) {
			found += 1;
			yield draft;
		}
	};
	for await (const {value, position} of readGood(file, context, {member})) {
		const line = codeLine(value);
		const where = placeOf(file, position);
		if (!line) {
			context.warn('unknown_record', where, Array.isArray(value) ? 'a list' : typeof value);
			continue;
		}
		const key = keys.of(line);
		const kind = kindOfLine(line);
		noteLeftOut(line, {kind, where, unknown}, context);
		if (!isRow(line, kind)) continue;
		const rows = groups.add(key, rowOf(value, kind, where));
		if (rows) yield* draftsOf(key, rows);
	}
	for (const [key, rows] of groups.rest()) yield* draftsOf(key, rows);
	if (found === 0) context.skip('no_session_lines');
}

interface LeftOut {
	readonly kind: LineKind;
	readonly where: string;
	/** New types that were warned about. */
	readonly unknown: Set<string>;
}

/** Counts a line without a message; one of a new type is warned about once a file. */
function noteLeftOut(line: CodeLine, {kind, where, unknown}: LeftOut, context: ImportContext): void {
	if (kind === 'sidecar') context.skip(`sidecar_${line.type}`);
	if (kind !== 'unknown') return;
	const {type, message} = line;
	context.skip('unknown_line');
	const isNewType = type !== undefined && sessionOf(line) !== null && message === undefined && !TURNS.has(type);
	if (isNewType && unknown.has(type)) return;
	if (isNewType) unknown.add(type);
	context.warn('unknown_record', where, (type ?? `members ${Object.keys(line).slice(0, 8).join(', ')}`).slice(0, 80));
}

const TURNS: ReadonlySet<string> = new Set(['user', 'human', 'assistant']);

/** Of a line without a message, only what ties it to others is kept: such lines are the bulk of a transcript. */
function rowOf(value: unknown, kind: LineKind, where: string): CodeRow {
	const isLink = kind === 'sidecar' || kind === 'unknown';
	const {uuid, parentUuid, isSidechain, agentId} = value as JsonObject;
	const record = isLink ? {uuid, parentUuid, isSidechain, agentId} : withoutBase64(value);
	return {kind, line: codeLine(record) as CodeLine, record: isLink ? null : record, where};
}

interface Session {
	/** Null when the file does not say. */
	readonly session: string | null;
	readonly rows: readonly CodeRow[];
	readonly title: string | null;
}

/** The conversation of a session, then one for each of its subagents. */
function* sessionDrafts({session, rows, title}: Session, context: ImportContext): Generator<ConversationDraft> {
	const {main, agents} = threadsOf(rows);
	if (hasWords(main)) yield conversationOf({native_id: session, title, extra: {}, rows: main}, context);
	for (const [agent, own] of agents) {
		if (!hasWords(own)) continue;
		const native_id = `${session ?? ''}:agent-${agent}`;
		yield conversationOf(
			{native_id, title: null, extra: {parent_session: session, agent_id: agent}, rows: own},
			context,
		);
	}
}

const hasWords = (rows: readonly CodeRow[]): boolean =>
	rows.some(({kind}) => kind === 'user' || kind === 'assistant' || kind === 'queued');

/** Tells the lines of subagents apart: by agent, or by the line that began the talk where no agent is named. */
function threadsOf(rows: readonly CodeRow[]): {main: CodeRow[]; agents: Map<string, CodeRow[]>} {
	const main: CodeRow[] = [];
	const agents = new Map<string, CodeRow[]>();
	const agentOfLine = new Map<string, string>();
	let last = 'unnamed';
	for (const row of rows) {
		const {isSidechain, agentId, parentUuid, uuid} = row.line;
		if (!isSidechain) {
			main.push(row);
			continue;
		}
		const parent = typeof parentUuid === 'string' ? agentOfLine.get(parentUuid) : undefined;
		const agent = agentId ?? parent ?? uuid ?? last;
		if (uuid !== undefined) agentOfLine.set(uuid, agent);
		last = agent;
		const own = agents.get(agent);
		if (own) own.push(row);
		else agents.set(agent, [row]);
	}
	return {main, agents};
}

interface Thread {
	readonly native_id: string | null;
	readonly title: string | null;
	readonly extra: JsonObject;
	readonly rows: readonly CodeRow[];
}

function conversationOf({native_id, title, extra, rows}: Thread, context: ImportContext): ConversationDraft {
	const where = rows[0]?.where ?? '';
	const messages = threadMessages(rows, where, context);
	const times = messages.flatMap(({created_at}) => (created_at === null ? [] : [created_at]));
	const created = times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b));
	const updated = times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b));
	return {
		type: 'conversation',
		native_id,
		...envelopeOf({title, created, updated, extra: {...extra, ...surroundingsOf(rows)}, messages}, where, context),
		kind: 'assistant',
		line: null,
		do_not_remember: false,
		messages,
	};
}

/** Where a session ran and what answered, as its lines say; folder and branch are those at its start. */
function surroundingsOf(rows: readonly CodeRow[]): JsonObject {
	const lines = rows.map(({line}) => line);
	const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
	const models = lines.map(({message}) => message?.model).filter(isText);
	const forked = lines.map(({forkedFrom}) => forkedFrom).find(isObject);
	const found = {
		cwd: lines.map(({cwd}) => cwd).find(isText),
		git_branch: lines.map(({gitBranch}) => gitBranch).find(isText),
		version: lines.map(({version}) => version).findLast(isText),
		// Notices of the program carry a model of that name.
		model: models.findLast(model => model !== '<synthetic>'),
		forked_from: forked,
	};
	return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
