import {shaOf} from '../../core/ids.js';
import type {Conversation, Message} from '../../domain/conversation.js';
import {
	type FinishedConversation,
	finishConversation,
	isOpeningTimed,
	openedId,
	openingOf,
} from '../../importers/finish.js';
import type {ConversationDraft} from '../../importers/port.js';
import type {ImportStore} from '../../ports/store.js';

/** A conversation with its messages. */
export interface Talk {
	readonly conversation: Conversation;
	readonly messages: readonly Message[];
}

/** What a draft becomes, and what the store has of it already. */
export interface Identified {
	readonly fresh: FinishedConversation;
	readonly stored: Talk | null;
}

/** Messages by which talks that open alike are told apart without reading them again. */
const HEAD = 4;
/** Heads that are kept. */
const HEADS_MAX = 50_000;

/**
 * Gives the conversations of one file their ids. One with an id of its own, or with a time in its opening, is known by
 * that. Others that open alike are numbered: each is the first of that opening in the store of which it holds the same
 * messages, as far as the shorter of the two goes, else a new one. So files that overlap are joined, a longer copy of a
 * chat adds to it, and chats that merely begin with the same words stay apart, in one file or in several.
 */
export class Identities {
	readonly #options: {readonly format: string; readonly source_id: string; readonly line: string};
	readonly #store: Pick<ImportStore, 'conversation'>;
	/** Numbers that this file's conversations have taken, by opening: one file never names a talk twice. */
	readonly #taken = new Map<string, Set<number>>();
	readonly #heads = new Map<string, readonly string[]>();

	constructor(
		options: {readonly format: string; readonly source_id: string; readonly line: string},
		store: Pick<ImportStore, 'conversation'>,
	) {
		this.#options = options;
		this.#store = store;
	}

	async of(draft: ConversationDraft): Promise<Identified> {
		const opening = openingOf(draft);
		if (opening === null) return this.#at(draft, 0);
		const taken = this.#taken.get(opening) ?? new Set();
		this.#taken.set(opening, taken);
		const marks = isOpeningTimed(draft) ? null : finishConversation(draft, this.#options).messages.map(markOf);
		let number = 0;
		while (
			taken.has(number) ||
			(marks && (await this.#isOther(openedId(this.#options.format, opening, number), marks)))
		) {
			number += 1;
		}
		taken.add(number);
		return this.#at(draft, number);
	}

	async #at(draft: ConversationDraft, occurrence: number): Promise<Identified> {
		const fresh = finishConversation(draft, {...this.#options, occurrence});
		return {fresh, stored: await this.#store.conversation(fresh.conversation.conversation_id)};
	}

	/** Whether the store has a talk under that id which is not the one of these messages. */
	async #isOther(id: string, marks: readonly string[]): Promise<boolean> {
		const head = this.#heads.get(id);
		if (head && !isPrefix(head, marks.slice(0, HEAD))) return true;
		const stored = await this.#store.conversation(id);
		if (!stored) return false;
		const own = stored.messages.map(markOf);
		if (this.#heads.size >= HEADS_MAX) this.#heads.clear();
		this.#heads.set(id, own.slice(0, HEAD));
		return !isPrefix(own, marks);
	}
}

/** By what a message is the same in two copies of a talk: its id in the export, else who said what. */
const markOf = ({native_id, role, text}: Message): string =>
	native_id === null ? shaOf([role, text]) : `#${native_id}`;

/** Whether two lists are equal as far as the shorter goes. */
const isPrefix = (a: readonly string[], b: readonly string[]): boolean =>
	a.slice(0, b.length).every((item, index) => item === b[index]);
