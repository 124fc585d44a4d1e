import type {CodeLine} from './claude-code-line.js';
import type {CodeRow} from './claude-code-message.js';

/** Members that name a session by the type of their line, the one that counts first. The user's own name comes first. */
const TITLE_MEMBERS = [
	['custom-title', 'customTitle'],
	['ai-title', 'aiTitle'],
	['agent-name', 'agentName'],
] as const;

/** Collects what the lines of a file say of the names of its sessions. A later line of a type counts. */
export class CodeTitles {
	/** By session, then by type. */
	readonly #named = new Map<string, Map<string, string>>();
	/** By the line that a summary names as the last of what it sums up. */
	readonly #summaries = new Map<string, string>();

	note(session: string, line: CodeLine): void {
		if (line.type === 'summary' && typeof line.leafUuid === 'string' && isTitle(line.summary)) {
			this.#summaries.set(line.leafUuid, line.summary);
		}
		const member = TITLE_MEMBERS.find(([type]) => type === line.type)?.[1];
		const title = member === undefined ? undefined : line[member];
		if (line.type === undefined || !isTitle(title)) return;
		const named = this.#named.get(session) ?? new Map<string, string>();
		named.set(line.type, title);
		this.#named.set(session, named);
	}

	/** Null when nothing names the session. A summary counts for the session that has its line. */
	of(session: string, rows: readonly CodeRow[]): string | null {
		const named = this.#named.get(session);
		for (const [type] of TITLE_MEMBERS) {
			const title = named?.get(type);
			if (title !== undefined) return title;
		}
		const summaries = rows.flatMap(({line: {uuid}}) => (uuid === undefined ? [] : (this.#summaries.get(uuid) ?? [])));
		return summaries.at(-1) ?? null;
	}
}

const isTitle = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
