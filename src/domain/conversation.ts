import type {Instant} from '../core/time.js';

export type Role = 'user' | 'assistant' | 'system' | 'tool';

/** `exact` as the export has it, `inherited` from the message before because order demands one, `missing`. */
export type TimeQuality = 'exact' | 'inherited' | 'missing';

/** Who wrote a text of role user: `human` on positive evidence only, `injected` when a program did. */
export type Authorship = 'human' | 'injected' | 'unknown';

/** `assistant`: a person and a model. `people`: a chat among people, in which every speaker counts like the user. */
export type ConversationKind = 'assistant' | 'people';

export interface Attachment {
	readonly name: string | null;
	readonly type: string | null;
	/** Text that the export carries for it. */
	readonly text: string | null;
}

/** One conversation as the store keeps it. */
export interface Conversation {
	readonly conversation_id: string;
	readonly source_id: string;
	readonly native_id: string | null;
	readonly title: string | null;
	readonly created_at: Instant | null;
	readonly updated_at: Instant | null;
	readonly kind: ConversationKind;
	/** The scope of memory: recall never crosses it. */
	readonly line: string;
	readonly do_not_remember: boolean;
	readonly extra: Readonly<Record<string, unknown>> | null;
}

/** One message as the store keeps it. Spans into `text` count code points. */
export interface Message {
	readonly message_id: string;
	readonly conversation_id: string;
	/** Place in the export's own order, from 0, branches included. */
	readonly seq: number;
	readonly native_id: string | null;
	readonly parent_id: string | null;
	readonly role: Role;
	readonly speaker: string | null;
	readonly text: string;
	readonly created_at: Instant | null;
	readonly time_quality: TimeQuality;
	readonly authorship: Authorship;
	readonly status: string;
	readonly is_visible: boolean;
	readonly attachments: readonly Attachment[];
	readonly raw: unknown;
}

/** A question put to a line of memory, with the messages that answer it where they are known. */
export interface Question {
	readonly question_id: string;
	readonly line: string;
	readonly text: string;
	/** Null: asked after everything in the line. */
	readonly asked_at: Instant | null;
	/** Message ids. */
	readonly evidence: readonly string[];
	readonly category: string | null;
	readonly answerable: boolean;
	readonly answer: string | null;
	/** Lines said just before the question, oldest first, where the set gives them. */
	readonly context: readonly string[] | null;
	readonly extra: Readonly<Record<string, unknown>> | null;
}

/** Whether a message's words count as a person's: windows, beats and targets ask this one question. */
export const isPersonal = (message: Pick<Message, 'role' | 'authorship'>, kind: ConversationKind): boolean =>
	message.authorship !== 'injected' &&
	(kind === 'people' ? message.role === 'user' || message.role === 'assistant' : message.role === 'user');
