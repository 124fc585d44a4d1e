import type {Instant} from '../core/time.js';
import type {Attachment, Authorship, ConversationKind, Role} from '../domain/conversation.js';

/** Ids of `--format`, in the order in which sniffers are asked (the more specific shape first). */
export type FormatId = 'locomo' | 'bench' | 'claude-code' | 'claude' | 'chatgpt' | 'sharegpt' | 'openai' | 'markdown';

/** One file, or one member of an archive. */
export interface ImportFile {
	/** As the user named it; a member is `archive.zip!folder/name.json`. */
	readonly path: string;
	readonly bytes: number;
	/** The content from its start; may be called more than once. */
	open(): AsyncIterable<Uint8Array>;
}

/** The beginning of a file, for sniffers: content, never the name. */
export interface Sample {
	/** `array` and `object`: one JSON value; `lines`: JSON values a line each; `text`: none of these. */
	readonly shape: 'array' | 'object' | 'lines' | 'text';
	/** First elements of the array, first lines, or the object alone. The last one may lack members that come later. */
	readonly records: readonly unknown[];
	/** With `text`: the beginning itself, at most half a megabyte. */
	readonly text?: string;
}

/** A record of a file, or what stood in its place. */
export type ReadRecord =
	| {readonly ok: true; readonly value: unknown; readonly ordinal: number; readonly position: Position}
	| {
			readonly ok: false;
			readonly problem: 'broken_json' | 'broken_line';
			readonly detail: string;
			readonly position: Position;
	  };

/** Line and column count from 1, column in bytes. */
export interface Position {
	readonly line: number;
	readonly column: number;
}

/** A message before it has an id. Times are parsed, texts as the export has them. */
export interface MessageDraft {
	readonly native_id: string | null;
	/** Native id of the message that this one answers, where the export is a tree. */
	readonly parent_native_id: string | null;
	readonly role: Role;
	readonly speaker: string | null;
	/** Only what a person could see. */
	readonly text: string;
	readonly created_at: Instant | null;
	/** Set when the export gives the time for something larger, such as a session. */
	readonly time_inherited?: boolean;
	readonly authorship: Authorship;
	readonly status: string;
	readonly is_visible: boolean;
	readonly attachments: readonly Attachment[];
	/** The whole record, so that nothing is lost. */
	readonly raw: unknown;
}

export interface ConversationDraft {
	readonly type: 'conversation';
	readonly native_id: string | null;
	readonly title: string | null;
	readonly created_at: Instant | null;
	readonly updated_at: Instant | null;
	readonly kind: ConversationKind;
	/** The line that the format itself fixes; null leaves it to `--as`. */
	readonly line: string | null;
	readonly do_not_remember: boolean;
	readonly extra: Readonly<Record<string, unknown>> | null;
	/** In the export's own order, parents before children. */
	readonly messages: readonly MessageDraft[];
}

export interface QuestionDraft {
	readonly type: 'question';
	readonly native_id: string | null;
	readonly line: string;
	readonly text: string;
	readonly asked_at: Instant | null;
	/** Native ids of messages in the same line. */
	readonly evidence_native_ids: readonly string[];
	readonly category: string | null;
	readonly answerable: boolean;
	readonly answer: string | null;
	readonly context: readonly string[] | null;
	readonly extra: Readonly<Record<string, unknown>> | null;
}

export type Draft = ConversationDraft | QuestionDraft;

/** What an importer may ask of its surroundings. */
export interface ImportContext {
	/**
	 * Reads a time; a value without zone takes `--assume-tz` and is counted.
	 * @returns null, with a warning, when the value is there but is no time
	 */
	time(value: unknown, where: string): Instant | null;
	/** Notes something odd. `kind` is snake_case and counted; `where` names file, record and place. */
	warn(kind: string, where: string, detail?: string): void;
	/** Counts a record that is rightly left out, by reason. */
	skip(reason: string): void;
	/** What files are called, by their id: told by one part of an export for the others. */
	readonly fileNames: Map<string, string>;
}

/** One format. A file in this folder holds the whole of it: schema, sniffer and reader. */
export interface Importer {
	readonly id: FormatId;
	/** Raised when the same file would give other rows. */
	readonly version: number;
	/** What the sniffer looks for, for the message when nothing fits. */
	readonly looksFor: string;
	sniff(sample: Sample): boolean;
	/** Yields drafts lazily; memory is bounded by one record. */
	read(file: ImportFile, context: ImportContext): AsyncIterable<Draft>;
}
