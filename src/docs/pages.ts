import {readFileSync} from 'node:fs';
import {z} from 'zod';
import {Arm, shippedArms} from '../arms/arm.js';
import {packageFile} from '../core/package-root.js';
import {columnsOf, isVolatile} from '../store/export.js';
import {openStore} from '../store/store.js';
import {TABLE_ALIASES, TABLES, VOLATILE_MARK} from '../store/tables.js';

// Reference pages made from what they describe: the live schema, the command manifest, the arm schema.

/** docs/schema.md: every table and column of a new file, with the comments that the migrations give them. */
export async function schemaPage(): Promise<string> {
	const store = await openStore(':memory:', {create: true, clock: {now: () => 0, monotonicMs: () => 0}});
	const lines = [
		'# Schema of a memory file',
		'',
		'A memory file is one DuckDB file; query it with any DuckDB client. This page is made from the live schema by',
		'`npm run docs`. Times are UTC. Spans count code points, from 0, the end exclusive:',
		'`substr(text, char_start + 1, char_end - char_start) = quote`. Ids are made from content, so that the same',
		'import or run gives the same ids. Columns marked *volatile* (run ids, wall-clock times, measured latencies)',
		'differ between two equal runs; `hindcast db export --ndjson TABLE` leaves them out.',
		'',
	];
	for (const table of Object.keys(TABLES)) {
		const about = await store.db.one<{comment: string}>('SELECT comment FROM duckdb_tables() WHERE table_name = ?', [
			table,
		]);
		const nullable = await store.db.all<{column_name: string; is_nullable: boolean}>(
			'SELECT column_name, is_nullable FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index',
			[table],
		);
		const canBeNull = new Map(nullable.map(row => [row.column_name, row.is_nullable]));
		const alias = Object.entries(TABLE_ALIASES).find(([, name]) => name === table)?.[0];
		lines.push(
			`## ${table}`,
			'',
			`${about?.comment ?? ''}${alias ? ` \`db export\` also takes the name \`${alias}\`.` : ''}`,
			'',
		);
		lines.push('| column | type | null | meaning |', '|---|---|---|---|');
		for (const column of await columnsOf(store.db, table)) {
			const text = (column.comment ?? '').replace(VOLATILE_MARK, '').trim();
			const type = column.data_type === 'TIMESTAMP WITH TIME ZONE' ? 'TIMESTAMPTZ' : column.data_type;
			const none = canBeNull.get(column.column_name) ? 'yes' : 'no';
			lines.push(`| ${column.column_name} | ${type} | ${none} | ${isVolatile(column) ? '*volatile.* ' : ''}${text} |`);
		}
		lines.push('');
	}
	store.close();
	return lines.join('\n');
}

interface ManifestFlag {
	readonly name: string;
	readonly description?: string;
	readonly helpValue?: string;
	readonly default?: unknown;
	readonly options?: readonly string[];
	readonly env?: string;
	readonly required?: boolean;
	readonly multiple?: boolean;
	readonly type: string;
}

interface ManifestCommand {
	readonly id: string;
	readonly summary: string;
	readonly description?: string;
	readonly examples?: readonly string[];
	readonly args: Readonly<Record<string, {name: string; description?: string; required?: boolean}>>;
	readonly flags: Readonly<Record<string, ManifestFlag>>;
}

/** docs/cli.md: every command with its flags and examples, from the command manifest. */
export async function cliPage(): Promise<string> {
	const manifest = JSON.parse(readFileSync(packageFile('oclif.manifest.json'), 'utf8')) as {
		commands: Record<string, ManifestCommand>;
	};
	const lines = [
		'# Commands',
		'',
		'Made from the commands themselves by `npm run docs`. Results go to stdout, progress and notes to stderr. With',
		'`--json` stdout holds exactly one object: `{"ok":true,"command":…,"run_id":…,"seconds":…, …}`, or',
		'`{"ok":false,"error":{"code","message","hint","details"}}`.',
		'',
		'Exit codes: 0 done; 1 failed; 2 bad usage or config; 3 done in part, work is pending; 4 a check found',
		'differences; 130 interrupted (what was finished is kept).',
		'',
	];
	for (const command of Object.values(manifest.commands).sort((a, b) => (a.id < b.id ? -1 : 1))) {
		const name = `hindcast ${command.id.replaceAll(':', ' ')}`;
		const args = Object.values(command.args).map(arg =>
			arg.required ? arg.name.toUpperCase() : `[${arg.name.toUpperCase()}]`,
		);
		lines.push(`## ${[name, ...args].join(' ')}`, '', command.summary, '');
		if (command.description) lines.push(command.description, '');
		lines.push('| flag | meaning | default |', '|---|---|---|');
		for (const flag of Object.values(command.flags).sort((a, b) => (a.name < b.name ? -1 : 1))) {
			const value =
				flag.type === 'boolean'
					? ''
					: ` ${flag.options ? flag.options.join('\\|') : (flag.helpValue ?? 'N').replaceAll('|', '\\|')}`;
			const fallback = flag.default === undefined || flag.default === false ? '' : `\`${String(flag.default)}\``;
			const more = [
				flag.required ? 'required' : '',
				flag.multiple ? 'may be repeated' : '',
				flag.env ? `env ${flag.env}` : '',
			].filter(Boolean);
			lines.push(
				`| \`--${flag.name}${value}\` | ${flag.description ?? ''}${more.length > 0 ? ` (${more.join('; ')})` : ''} | ${fallback} |`,
			);
		}
		lines.push(
			'',
			'```sh',
			...(command.examples ?? []).map(example => example.replaceAll('<%= config.bin %>', 'hindcast')),
			'```',
			'',
		);
	}
	return lines.join('\n');
}

/** docs/arms.md: every setting of an arm, with the values of the shipped arms. */
export async function armsPage(): Promise<string> {
	const schema = z.toJSONSchema(Arm, {io: 'input'}) as JsonSchema;
	const lines = [
		'# Arm files',
		'',
		'An arm is one named configuration of the pipeline, a YAML file. A file may start from a shipped arm with',
		'`extends: hybrid` and change what it names; unknown settings are an error. Shipped arms:',
		`${shippedArms()
			.map(name => `\`${name}\``)
			.join(', ')} (in \`src/arms\`). This page is made from the schema by \`npm run docs\`.`,
		'',
		'```yaml',
		'extends: hybrid',
		'name: words-only',
		'routes: { q1_m2: null, q2_m4: null }',
		'fusion: { q1: 0, lexical: 1 }',
		'```',
		'',
		'| setting | values | default | meaning |',
		'|---|---|---|---|',
		...rowsOf(schema, ''),
		'',
	];
	return lines.join('\n');
}

interface JsonSchema {
	readonly type?: string;
	readonly enum?: readonly unknown[];
	readonly default?: unknown;
	readonly description?: string;
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly anyOf?: readonly JsonSchema[];
}

function rowsOf(schema: JsonSchema, prefix: string): string[] {
	return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
		const inner = member.properties ? member : member.anyOf?.find(option => option.properties);
		const values = member.enum
			? member.enum.map(value => `\`${String(value)}\``).join(', ')
			: inner
				? 'a map, or `null`'
				: (member.type ?? '');
		const fallback = member.default === undefined || inner ? '' : `\`${JSON.stringify(member.default)}\``;
		const own = member.description
			? [`| \`${prefix}${name}\` | ${values} | ${fallback} | ${member.description} |`]
			: [];
		return [...own, ...(inner ? rowsOf(inner, `${prefix}${name}.`) : [])];
	});
}
