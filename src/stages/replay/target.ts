import type {Arm} from '../../arms/arm.js';
import type {Instant, Zone} from '../../core/time.js';
import type {Question} from '../../domain/conversation.js';
import type {LineMessage, MessageTarget} from '../../ports/store.js';
import {type Cutoff, endOf, visibleFrom} from '../recall/as-of.js';

/** One thing to recall for: a message or a question, with its cutoff and what stood before it. */
export interface Target {
	readonly kind: 'message' | 'question';
	readonly id: string;
	readonly line: string;
	readonly text: string;
	readonly cutoff: Cutoff;
	/** Live context of the chat, within which nothing is delivered twice; null for questions. */
	readonly chat_window: string | null;
	readonly conversation_id: string | null;
	/** Texts of the messages before it, oldest first. */
	readonly before: readonly string[];
}

/** The messages of a line, for the context of its targets and for its end. */
export class LineChat {
	readonly #byConversation = new Map<string, LineMessage[]>();
	readonly #byTime: readonly LineMessage[];

	/** @param messages by conversation and order */
	constructor(messages: readonly LineMessage[]) {
		for (const message of messages) {
			const list = this.#byConversation.get(message.conversation_id);
			if (list) list.push(message);
			else this.#byConversation.set(message.conversation_id, [message]);
		}
		// Messages without time have no place among conversations, so they are no context of a question.
		this.#byTime = messages
			.filter(message => message.created_at !== null)
			.sort((a, b) => a.created_at! - b.created_at!);
	}

	/** The last `count` texts of a conversation before a place, oldest first. */
	before(conversationId: string, seq: number, count: number): string[] {
		const earlier = (this.#byConversation.get(conversationId) ?? []).filter(message => message.seq < seq);
		return lastTexts(earlier, count);
	}

	/** The last `count` texts of the line said before an instant (null: all), oldest first. */
	last(before: Instant | null, count: number): string[] {
		const earlier = before === null ? this.#byTime : this.#byTime.filter(message => message.created_at! < before);
		return lastTexts(earlier, count);
	}

	/** Time of the last message; null when none has a time. */
	get end(): Instant | null {
		return this.#byTime.at(-1)?.created_at ?? null;
	}
}

const lastTexts = (messages: readonly LineMessage[], count: number): string[] =>
	count === 0 ? [] : messages.slice(-count).map(({text}) => text);

/** A message as a target: its cutoff is its own time, or its place where it has none. */
export const messageTarget = (message: MessageTarget, arm: Arm, chat: LineChat): Target => ({
	kind: 'message',
	id: message.message_id,
	line: message.line,
	text: message.text,
	cutoff: {
		basis: message.created_at === null ? 'order' : 'time',
		at: message.created_at,
		conversation_id: message.conversation_id,
		seq: message.seq,
	},
	chat_window: message.conversation_id,
	conversation_id: message.conversation_id,
	before: chat.before(message.conversation_id, message.seq, arm.context_messages),
});

/** A question as a target. Without a time of asking it comes after everything in its line. */
export const questionTarget = (question: Question, arm: Arm, chat: LineChat, zone: Zone): Target => ({
	kind: 'question',
	id: question.question_id,
	line: question.line,
	text: question.text,
	cutoff:
		question.asked_at === null
			? cutoffAfterAll(arm, chat, zone)
			: {basis: 'time', at: question.asked_at, conversation_id: null, seq: null},
	chat_window: null,
	conversation_id: null,
	before: question.context ?? chat.last(question.asked_at, arm.context_messages),
});

/** As of after the last message, never the machine's clock. */
export const cutoffAfterAll = (arm: Arm, chat: LineChat, zone: Zone): Cutoff =>
	endOf(chat.end === null ? null : visibleFrom(chat.end, arm.availability, zone));
