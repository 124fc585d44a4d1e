/** What went wrong, for whom, and what to do: one row a code. Exit codes are those of the README. */
interface ErrorKind {
	/** 1 failed, 2 bad usage or config, 3 work is pending. */
	readonly exit: 1 | 2 | 3;
	/** What the user can do next. */
	readonly hint: string;
}

/** The catalogue of errors. It prints nothing; `src/cli` shows them. */
export const errorKinds = {
	BAD_USAGE: {exit: 2, hint: 'See --help of the command.'},
	BAD_ZONE: {exit: 2, hint: 'Use an IANA name such as Asia/Shanghai or UTC.'},
	ZONE_FIXED: {exit: 2, hint: 'The memory zone is fixed when a file is made; leave --tz out or use another --db.'},
	DB_MISSING: {exit: 2, hint: 'Make one with: hindcast import PATH --db FILE'},
	DB_LOCKED: {exit: 1, hint: 'Wait for that process or end it; nothing was written.'},
	DB_INVALID: {exit: 1, hint: 'Name a file that hindcast made, or restore a backup.'},
	DB_NEWER: {exit: 1, hint: 'Install a hindcast at least as new as the one that wrote the file.'},
	DUCKDB_MISSING: {
		exit: 1,
		hint: 'Install hindcast again without --omit=optional: DuckDB brings its binary as an optional package.',
	},
	DB_FAILED: {exit: 1, hint: 'Nothing of this unit was written. Run again; if it stays, run: hindcast db check'},
	TABLE_UNKNOWN: {exit: 2, hint: 'The tables are listed in docs/schema.md.'},
	PATH_MISSING: {exit: 1, hint: 'Check the path.'},
	FORMAT_UNKNOWN: {exit: 1, hint: 'Name the format with --format; hindcast import --help lists them.'},
	FORMAT_MISMATCH: {exit: 1, hint: 'Leave --format out to let the content decide.'},
	IMPORT_EMPTY: {exit: 1, hint: 'Check that this is the whole export.'},
	IMPORT_STRICT: {exit: 1, hint: 'Mend the file, or import without --strict to keep what is good.'},
	ARCHIVE_REFUSED: {exit: 1, hint: 'Unpack it yourself if you trust it, and import the folder.'},
	ENCRYPTED: {exit: 1, hint: 'Decrypt the archive first.'},
	NOTHING_TO_DO: {exit: 1, hint: 'Run the stage before this one first.'},
	CARD_SET_UNKNOWN: {exit: 2, hint: 'Run: hindcast extract, then hindcast aggregate.'},
	CARD_SET_AMBIGUOUS: {exit: 2, hint: 'Name one with --cards.'},
	EXTRACTOR_UNKNOWN: {exit: 2, hint: 'Extractors: verbatim, rules.'},
	EMBEDDER_UNKNOWN: {exit: 2, hint: 'Use --embedder static, which is always there.'},
	MODEL_MISSING: {exit: 2, hint: 'Run: hindcast models list'},
	MODEL_UNKNOWN: {exit: 2, hint: 'Run: hindcast models list'},
	MODEL_DAMAGED: {exit: 1, hint: 'Fetch it again with --force.'},
	DOWNLOAD_FAILED: {exit: 1, hint: 'Check the network, set HF_ENDPOINT to a mirror, or put the files there yourself.'},
	OFFLINE: {exit: 2, hint: 'Leave out --offline and HINDCAST_OFFLINE, or put the files there yourself.'},
	TRANSFORMERS_MISSING: {
		exit: 2,
		hint: 'Run npm install @huggingface/transformers (with ONNXRUNTIME_NODE_INSTALL=skip where its download fails), or use --embedder static.',
	},
	INDEX_MISSING: {exit: 2, hint: 'Run: hindcast index --embedder NAME'},
	INDEX_STALE: {exit: 2, hint: 'Run hindcast index again with the same embedder.'},
	INDEX_MIXED: {exit: 2, hint: 'Run: hindcast index --embedder NAME, and name that embedder here.'},
	ARM_INVALID: {exit: 2, hint: 'docs/arms.md lists every setting of an arm file.'},
	TARGET_UNKNOWN: {exit: 2, hint: 'Ids are in: hindcast db export --ndjson messages'},
	CARD_UNKNOWN: {exit: 2, hint: 'Ids are in: hindcast db export --ndjson cards'},
	BACKUP_EXISTS: {exit: 1, hint: 'Name a file that does not exist yet.'},
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;

/** An error that a person can act on: shown as one line with its hint, never as a stack trace. */
export class HindcastError extends Error {
	readonly code: ErrorCode;
	readonly hint: string;
	readonly exit: number;
	readonly details: Readonly<Record<string, unknown>> | undefined;

	constructor(
		code: ErrorCode,
		{message, hint, details}: {message: string; hint?: string; details?: Record<string, unknown>},
	) {
		super(message);
		this.name = 'HindcastError';
		this.code = code;
		this.hint = hint ?? errorKinds[code].hint;
		this.exit = errorKinds[code].exit;
		this.details = details;
	}
}
