import type {Instant} from '../../core/time.js';
import type {Message} from '../../domain/conversation.js';
import {printable} from '../../importers/printable.js';
import {SOURCES_KEPT, WARNINGS_KEPT} from './constants.js';

export interface ImportWarning {
	readonly kind: string;
	readonly where: string;
	readonly detail: string;
}

/** What one file or member of an archive gave. */
export interface SourceReport {
	readonly path: string;
	readonly format: string;
	readonly conversations: number;
	readonly messages: number;
	readonly warnings: number;
}

export interface ImportReport {
	readonly run_id: string;
	readonly sources: number;
	/** The first hundred. */
	readonly source_list: readonly SourceReport[];
	readonly formats: Readonly<Record<string, number>>;
	readonly conversations: number;
	readonly messages: number;
	readonly by_role: Readonly<Record<string, number>>;
	readonly added: number;
	readonly updated: number;
	readonly unchanged: number;
	readonly questions: {readonly added: number; readonly updated: number; readonly unchanged: number};
	readonly skipped: Readonly<Record<string, number>>;
	readonly warnings: Readonly<Record<string, number>>;
	/** The first hundred. */
	readonly warning_list: readonly ImportWarning[];
	readonly time_range: {readonly from: Instant; readonly to: Instant} | null;
	/** Something could not be read, the rest was imported. */
	readonly partial: boolean;
	readonly interrupted: boolean;
}

export type SourceCounts = Pick<SourceReport, 'conversations' | 'messages'>;

/** Characters of a warning's detail. */
const DETAIL_MAX = 300;

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((a, b) => a + b, 0);

/** Adds to a count by name. */
export const increment = (counts: Record<string, number>, key: string, by = 1): void => {
	counts[key] = (counts[key] ?? 0) + by;
};

/** Everything that one import run counts. */
export class Tally {
	sources = 0;
	conversations = 0;
	messages = 0;
	added = 0;
	updated = 0;
	unchanged = 0;
	from = Number.POSITIVE_INFINITY;
	to = Number.NEGATIVE_INFINITY;
	readonly formats: Record<string, number> = {};
	readonly byRole: Record<string, number> = {};
	readonly skipped: Record<string, number> = {};
	readonly warnings: Record<string, number> = {};
	/** The first file of another format than the one that was asked for, in words. */
	mismatch: string | null = null;
	#due = 0;
	readonly warningList: ImportWarning[] = [];
	readonly sourceList: SourceReport[] = [];

	/** Counts an oddity. Place and detail may hold names and texts of the file, so they are made printable. */
	warn(kind: string, where: string, detail = '', count = 1): void {
		increment(this.warnings, kind, count);
		if (this.warningList.length >= WARNINGS_KEPT) return;
		this.warningList.push({kind, where: printable(where), detail: printable(detail, DETAIL_MAX)});
	}

	/** Begins a file. The function that it returns ends it and tells what came of it, with its warnings. */
	begin(path: string, format: string): () => {counts: SourceCounts; warnings: readonly ImportWarning[]} {
		const {conversations, messages} = this;
		const users = this.byRole.user ?? 0;
		const warned = sum(this.warnings);
		const listed = this.warningList.length;
		return () => {
			const counts = {conversations: this.conversations - conversations, messages: this.messages - messages};
			if (counts.messages > 0 && (this.byRole.user ?? 0) === users) {
				this.warn('no_user_messages', path, 'no message of role user was found');
			}
			this.sources++;
			increment(this.formats, format);
			const warnings = sum(this.warnings) - warned;
			if (this.sourceList.length < SOURCES_KEPT) {
				this.sourceList.push({path: printable(path), format, ...counts, warnings});
			}
			return {counts, warnings: this.warningList.slice(listed)};
		};
	}

	/** True once in so many messages, and at the first call. */
	isDue(every: number): boolean {
		const isDue = this.messages >= this.#due;
		if (isDue) this.#due = this.messages + every;
		return isDue;
	}

	countConversation(messages: readonly Message[]): void {
		this.conversations++;
		this.messages += messages.length;
		for (const {role, created_at} of messages) {
			increment(this.byRole, role);
			if (created_at === null) continue;
			this.from = Math.min(this.from, created_at);
			this.to = Math.max(this.to, created_at);
		}
	}
}
