import {blocksOf, type CodeRow, codeDraft, readBlocks} from './claude-code-message.js';
import type {ImportContext, MessageDraft} from './port.js';
import {buildTree, type Tree, warnOfTree} from './tree.js';

/** A message with the lines that tell it. */
interface Entry {
	/** By line; a line that comes again is replaced. */
	readonly rows: Map<number, CodeRow>;
	/** `message.id` of a reply. */
	readonly reply: string | null;
}

/** A line in the tree. */
interface Node {
	readonly row: CodeRow;
	/** Null: the line holds no message. */
	readonly entry: Entry | null;
}

interface Lines {
	readonly nodes: readonly Node[];
	/** Index of the node by uuid; the uuid of a second copy leads to the first one. */
	readonly places: ReadonlyMap<string, number>;
	/** Words typed while a tool ran that name no line before them. */
	readonly queued: readonly CodeRow[];
}

/**
 * The messages of one thread in the order of the file. The visible ones lead to the last word that was said; what
 * was said before a rewind is a branch beside it. Nothing is lost for want of a parent: such a line follows the one
 * before it in the file.
 */
export function threadMessages(rows: readonly CodeRow[], where: string, context: ImportContext): MessageDraft[] {
	const lines = collectLines(rows, context);
	const {parents, dangling, stitched} = linkLines(lines);
	if (stitched > 0) {
		context.warn('compaction_stitched', where, `${stitched} compactions name no line before them; joined to the last`);
	}
	const nodes = parents.map((parent, index) => ({
		id: String(index),
		parent: parent === null ? null : String(parent),
		created_at: null,
	}));
	const tree = buildTree(nodes, currentOf(lines.nodes));
	warnOfTree({...tree, dangling}, where, context);
	return withQueued(placeEntries(lines.nodes, tree, context), lines.queued, context);
}

function collectLines(rows: readonly CodeRow[], context: ImportContext): Lines {
	const nodes: Node[] = [];
	const places = new Map<string, number>();
	const queued: CodeRow[] = [];
	const replies = new Map<string, Entry>();
	const seen = new Map<string, number>();
	for (const row of rows) {
		const {uuid, parentUuid} = row.line;
		const known = uuid === undefined ? undefined : places.get(uuid);
		const reply = replyOf(row);
		if (known !== undefined) {
			// Compaction writes old lines again; only a reply that still grew has news.
			const entry = nodes[known]?.entry;
			if (entry && reply !== null && entry.reply === reply) replaceLine(entry, known, row);
			context.skip('duplicate_line');
			continue;
		}
		if (row.kind === 'queued' && (typeof parentUuid !== 'string' || !places.has(parentUuid))) {
			queued.push(row);
			continue;
		}
		const print = fingerprintOf(row);
		const twin = print === null ? undefined : seen.get(print);
		if (twin !== undefined && (reply === null || nodes[twin]?.entry?.reply !== reply)) {
			if (uuid !== undefined) places.set(uuid, twin);
			context.skip('duplicate_message');
			continue;
		}
		const index = nodes.length;
		if (uuid !== undefined) places.set(uuid, index);
		if (print !== null) seen.set(print, index);
		nodes.push({row, entry: entryOf(row, index, reply, replies)});
	}
	return {nodes, places, queued};
}

function entryOf(row: CodeRow, index: number, reply: string | null, replies: Map<string, Entry>): Entry | null {
	if (row.record === null) return null;
	const known = reply === null ? undefined : replies.get(reply);
	const entry = known ?? {rows: new Map<number, CodeRow>(), reply};
	entry.rows.set(index, row);
	if (reply !== null) replies.set(reply, entry);
	return entry;
}

/** The last content of a line counts, and the first time. */
function replaceLine({rows}: Entry, index: number, row: CodeRow): void {
	const timestamp = rows.get(index)?.line.timestamp ?? row.line.timestamp;
	rows.set(index, {...row, line: {...row.line, timestamp}});
}

/** The id that all lines of one reply share. A request id may be missing on some, so it plays no part. */
function replyOf({kind, line}: CodeRow): string | null {
	const id = kind === 'assistant' ? line.message?.id : null;
	return typeof id === 'string' && id !== '' ? id : null;
}

/** Who, when to the millisecond, and what: the same under two ids was said once. Null when nothing was said. */
function fingerprintOf({kind, line}: CodeRow): string | null {
	if ((kind !== 'user' && kind !== 'assistant') || typeof line.timestamp !== 'string') return null;
	const {text} = readBlocks(blocksOf(line.message?.content));
	return text.trim() === '' ? null : `${kind} ${line.timestamp} ${text}`;
}

interface Links {
	readonly parents: readonly (number | null)[];
	/** Lines whose parent is not in the file. */
	readonly dangling: number;
	/** Compactions that name no line of the file as the one before them. */
	readonly stitched: number;
}

function linkLines({nodes, places}: Lines): Links {
	let dangling = 0;
	let stitched = 0;
	const found = nodes.map(({row: {line}}, index): number | null | undefined => {
		const isBoundary = line.subtype === 'compact_boundary';
		const named = line.parentUuid ?? (isBoundary ? (line.logicalParentUuid ?? undefined) : line.parentUuid);
		if (typeof named !== 'string') return named;
		const place = places.get(named);
		if (place !== undefined && place !== index) return place;
		if (index > 0 && isBoundary) stitched += 1;
		else if (index > 0) dangling += 1;
		return undefined;
	});
	return {parents: withPrevious(found), dangling, stitched};
}

/** Lines without a known parent follow the line before them, unless that one comes from them itself. */
function withPrevious(found: readonly (number | null | undefined)[]): (number | null)[] {
	const isInOrder = found.every((parent, index) => parent === null || parent === undefined || parent < index);
	const parents = found.map((parent, index) => (parent === undefined ? index - 1 : parent));
	return parents.map((parent, index) => {
		if (found[index] !== undefined) return parent;
		return parent === -1 || (!isInOrder && isBelow(index - 1, index, parents)) ? null : parent;
	});
}

/** Whether a line comes from the other one. */
function isBelow(below: number, above: number, parents: readonly (number | null)[]): boolean {
	const walked = new Set<number>();
	for (let at: number | null = below; at !== null && at >= 0 && !walked.has(at); at = parents[at] ?? null) {
		if (at === above) return true;
		walked.add(at);
	}
	return false;
}

/** The last line that was said; notices of the program may follow it or stand apart. */
function currentOf(nodes: readonly Node[]): string | null {
	const isWord = ({row: {kind, line}}: Node): boolean =>
		(kind === 'user' || kind === 'assistant' || kind === 'queued') && !line.isMeta;
	const last = nodes.findLastIndex(isWord);
	return last < 0 ? null : String(last);
}

function placeEntries(nodes: readonly Node[], tree: Tree, context: ImportContext): MessageDraft[] {
	const onPath = new Set(tree.path.map(index => nodes[index]?.entry));
	const drafts = new Map<Entry, MessageDraft>();
	/** The message at a line or the nearest one above it. */
	const nearest = new Map<number, Entry | null>();
	for (const index of tree.order) {
		const parent = tree.parents[index] ?? null;
		const above = parent === null ? null : (nearest.get(parent) ?? null);
		const entry = nodes[index]?.entry ?? null;
		nearest.set(index, entry ?? above);
		if (!entry || drafts.has(entry)) continue;
		const [first, ...rest] = entry.rows.values();
		if (!first) continue;
		const draft = codeDraft([first, ...rest], context);
		drafts.set(entry, {
			...draft,
			parent_native_id: above ? (drafts.get(above)?.native_id ?? null) : null,
			is_visible: draft.is_visible && onPath.has(entry),
		});
	}
	return [...drafts.values()];
}

/** Puts words that were typed while a tool ran behind what was there at their time. */
function withQueued(drafts: MessageDraft[], queued: readonly CodeRow[], context: ImportContext): MessageDraft[] {
	const all = [...drafts];
	for (const row of queued) {
		const draft = codeDraft([row], context);
		const at = draft.created_at;
		const before =
			at === null ? all.length - 1 : all.findLastIndex(other => other.created_at !== null && other.created_at <= at);
		all.splice(before + 1, 0, {...draft, parent_native_id: all[before]?.native_id ?? null});
	}
	return all;
}
