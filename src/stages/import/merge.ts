import type {Conversation, Message} from '../../domain/conversation.js';

export interface Merged {
	readonly conversation: Conversation;
	/** In their new order, seq from 0. */
	readonly messages: readonly Message[];
	readonly added: number;
	readonly updated: number;
	readonly unchanged: number;
	/** Old rows of which the new export changed something that cards rest on: text, time, speaker, visibility. */
	readonly changed: readonly Message[];
}

/**
 * Joins what is in the file with what an export brings. Order is the export's; a message that it lacks stays, after
 * the one that it followed. An export whose conversation was updated earlier than the stored one only adds.
 */
export function mergeConversation(
	stored: {conversation: Conversation; messages: readonly Message[]},
	fresh: {conversation: Conversation; messages: readonly Message[]},
): Merged {
	const isOlder = isEarlier(fresh.conversation.updated_at, stored.conversation.updated_at);
	const before = new Map(stored.messages.map(message => [message.message_id, message]));
	const changed: Message[] = [];
	let [added, updated, unchanged] = [0, 0, 0];
	const taken = fresh.messages.map(message => {
		const old = before.get(message.message_id);
		if (!old) {
			added++;
			return message;
		}
		if (isOlder || isSame(old, message)) {
			unchanged++;
			return old;
		}
		updated++;
		if (isQuotedDifferently(old, message)) changed.push(old);
		return message;
	});
	const ordered = withKept(taken, stored.messages);
	unchanged += ordered.length - taken.length;
	return {
		// The line is where the memory of it lives already; moving it would leave its cards behind.
		conversation: {...(isOlder ? stored.conversation : fresh.conversation), line: stored.conversation.line},
		messages: ordered.map((message, seq) => ({...message, seq})),
		added,
		updated,
		unchanged,
		changed,
	};
}

const isQuotedDifferently = (a: Message, b: Message): boolean =>
	a.text !== b.text ||
	a.created_at !== b.created_at ||
	a.role !== b.role ||
	a.speaker !== b.speaker ||
	a.authorship !== b.authorship ||
	a.is_visible !== b.is_visible;

const isEarlier = (a: number | null, b: number | null): boolean => a !== null && b !== null && a < b;

/** Equal in everything but the place. */
function isSame(a: Message, b: Message): boolean {
	const content = ({seq: _, ...rest}: Message) => sortedJson(rest);
	return content(a) === content(b);
}

const sortedJson = (value: object): string =>
	JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Puts stored messages that the export lacks back after the stored message before them. */
function withKept(taken: readonly Message[], stored: readonly Message[]): Message[] {
	const inExport = new Set(taken.map(message => message.message_id));
	const after = new Map<string | null, Message[]>();
	let anchor: string | null = null;
	for (const message of stored) {
		if (inExport.has(message.message_id)) anchor = message.message_id;
		else after.set(anchor, [...(after.get(anchor) ?? []), message]);
	}
	return [...(after.get(null) ?? []), ...taken.flatMap(message => [message, ...(after.get(message.message_id) ?? [])])];
}

/** Whether anything of the conversation's own row changed, its source apart. */
export function conversationChanged(a: Conversation, b: Conversation): boolean {
	const content = ({source_id: _, ...rest}: Conversation) => sortedJson(rest);
	return content(a) !== content(b);
}
