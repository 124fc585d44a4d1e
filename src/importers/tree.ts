import type {Instant} from '../core/time.js';
import type {ImportContext, MessageDraft} from './port.js';

/** A message of an export in which messages name the one that they answer. */
export interface TreeNode {
	readonly id: string;
	/** `undefined`: the export does not say, which means the node before; null: this is a root. */
	readonly parent: string | null | undefined;
	readonly created_at: Instant | null;
}

/** A tree without circles. Everything is by index into the nodes that were given. */
export interface Tree {
	readonly parents: readonly (number | null)[];
	/** Parents before children: the given order where it is one, else depth first. */
	readonly order: readonly number[];
	/** From a root to the leaf that is current. */
	readonly path: readonly number[];
	/** Nodes in the midst of the file whose parent is not there; they follow the node before them. */
	readonly dangling: number;
	/** Circles that were cut. */
	readonly cycles: number;
}

/**
 * Builds the tree and finds its current path. Nothing recurses, so a chain may be of any length.
 * @param current the leaf that the export names; when there is no such node, the newest leaf is taken (the time of a
 * leaf without one is that of its nearest ancestor; of equal ones the last counts)
 */
export function buildTree(nodes: readonly TreeNode[], current: string | null): Tree {
	const {parents, dangling} = linkNodes(nodes);
	const named = current === null ? -1 : nodes.findIndex(({id}) => id === current);
	const cycles = cutCycles(parents, named);
	const isInOrder = parents.every((parent, index) => parent === null || parent < index);
	const order = isInOrder ? [...nodes.keys()] : depthFirst(parents);
	const leaf = named >= 0 ? named : newestLeaf(nodes, parents, order);
	return {parents, order, path: pathTo(leaf, parents), dangling, cycles};
}

function linkNodes(nodes: readonly TreeNode[]): {parents: (number | null)[]; dangling: number} {
	const places = new Map<string, number>();
	for (const [index, {id}] of nodes.entries()) if (!places.has(id)) places.set(id, index);
	const found = nodes.map(({parent}) => (typeof parent === 'string' ? places.get(parent) : undefined));
	// Only where parents stand before children is the node before certain to be no descendant.
	const mayFollow = found.every((parent, index) => parent === undefined || parent < index);
	const roots = new Set<string>();
	let dangling = 0;
	const parents = nodes.map(({parent}, index): number | null => {
		const before = index === 0 || !mayFollow ? null : index - 1;
		if (parent === undefined) return before;
		const known = found[index];
		if (parent === null || known !== undefined) return known ?? null;
		// The first messages of a file may answer a root that is not exported; edits of them name the same one.
		if (index === 0) roots.add(parent);
		if (roots.has(parent)) return null;
		dangling += 1;
		return before;
	});
	return {parents, dangling};
}

/**
 * Cuts each circle at the edge that closes it on the way up. Walks start at the named leaf, then at the last node, so
 * that a root whose parent is made to point down is what gets cut. Changes the array.
 */
function cutCycles(parents: (number | null)[], named: number): number {
	const settled = new Set<number>();
	let cycles = 0;
	const starts = [...parents.keys()].reverse();
	for (const start of named >= 0 ? [named, ...starts] : starts) {
		const walked = new Set<number>();
		let at: number | null = start;
		while (at !== null && !settled.has(at)) {
			walked.add(at);
			const parent: number | null = parents[at] ?? null;
			if (parent !== null && walked.has(parent)) {
				parents[at] = null;
				cycles += 1;
			}
			at = parents[at] ?? null;
		}
		for (const index of walked) settled.add(index);
	}
	return cycles;
}

function depthFirst(parents: readonly (number | null)[]): number[] {
	const children = new Map<number | null, number[]>();
	for (const [index, parent] of parents.entries()) {
		const siblings = children.get(parent);
		if (siblings) siblings.push(index);
		else children.set(parent, [index]);
	}
	const order: number[] = [];
	const waiting = [...(children.get(null) ?? [])].reverse();
	for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
		order.push(at);
		for (const child of [...(children.get(at) ?? [])].reverse()) waiting.push(child);
	}
	return order;
}

function newestLeaf(
	nodes: readonly TreeNode[],
	parents: readonly (number | null)[],
	order: readonly number[],
): number | null {
	const times = new Map<number, number>();
	for (const index of order) {
		const parent = parents[index] ?? null;
		const above = parent === null ? undefined : times.get(parent);
		times.set(index, nodes[index]?.created_at ?? above ?? Number.NEGATIVE_INFINITY);
	}
	const answered = new Set(parents);
	let best: number | null = null;
	for (const index of nodes.keys()) {
		if (answered.has(index)) continue;
		if (best === null || (times.get(index) ?? 0) >= (times.get(best) ?? 0)) best = index;
	}
	return best;
}

function pathTo(leaf: number | null, parents: readonly (number | null)[]): number[] {
	const path: number[] = [];
	for (let at = leaf; at !== null; at = parents[at] ?? null) path.push(at);
	return path.reverse();
}

/**
 * The drafts of a tree's nodes in the order of the tree. Each names the nearest message above it as its parent; those
 * off the current path are not visible.
 * @param drafts one a node; null where a node is no message
 */
export function placeDrafts(tree: Tree, drafts: readonly (MessageDraft | null)[]): MessageDraft[] {
	const onPath = new Set(tree.path);
	const nearest = new Map<number, number | null>();
	return tree.order.flatMap(index => {
		const parent = tree.parents[index] ?? null;
		const above = parent === null || drafts[parent] ? parent : (nearest.get(parent) ?? null);
		nearest.set(index, above);
		const draft = drafts[index];
		if (!draft) return [];
		const parent_native_id = above === null ? null : (drafts[above]?.native_id ?? null);
		return [{...draft, parent_native_id, is_visible: draft.is_visible && onPath.has(index)}];
	});
}

/** Warns of what had to be mended, once a conversation. */
export function warnOfTree({dangling, cycles}: Tree, where: string, context: Pick<ImportContext, 'warn'>): void {
	if (dangling > 0) {
		context.warn(
			'dangling_parent',
			where,
			`${dangling} messages answer one that is not there; they follow the one before`,
		);
	}
	if (cycles > 0) context.warn('parent_cycle', where, `${cycles} circles of messages that answer each other, cut`);
}
