import type {Instant} from '../../core/time.js';
import type {Message} from '../../domain/conversation.js';
import {WARNINGS_KEPT} from './constants.js';

export interface ImportWarning {
	readonly kind: string;
	readonly where: string;
	readonly detail: string;
}

export interface ImportReport {
	readonly run_id: string;
	readonly sources: number;
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
	readonly warningList: ImportWarning[] = [];

	warn(kind: string, where: string, detail = '', count = 1): void {
		increment(this.warnings, kind, count);
		if (this.warningList.length < WARNINGS_KEPT) this.warningList.push({kind, where, detail});
	}

	countMessages(messages: readonly Message[]): void {
		this.messages += messages.length;
		for (const {role, created_at} of messages) {
			increment(this.byRole, role);
			if (created_at === null) continue;
			this.from = Math.min(this.from, created_at);
			this.to = Math.max(this.to, created_at);
		}
	}
}
