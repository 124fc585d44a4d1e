import {Args, Flags} from '@oclif/core';
import {dbFlag, HindcastCommand} from '../src/cli/command.js';

export default class Import extends HindcastCommand {
	static override summary = 'Import exported chats: files, folders, globs, zip archives, or - for standard input.';
	static override description =
		'The content decides the format, never the name. Importing again adds what is new, updates what changed and keeps everything else. Formats: claude (Claude.ai export), chatgpt (ChatGPT export), claude-code (transcripts), openai (OpenAI-style messages: NDJSON, an array, or one message a line), sharegpt, markdown (and plain text logs), locomo, bench.';
	static override examples = [
		'<%= config.bin %> import conversations.ndjson',
		'<%= config.bin %> import export.zip --as work --db work.duckdb',
		'cat log.ndjson | <%= config.bin %> import - --assume-tz Asia/Shanghai --json',
	];
	static override strict = false;
	static override args = {path: Args.string({description: 'What to import; several may be given', required: true})};
	static override flags = {
		...dbFlag,
		format: Flags.string({
			description: 'Format',
			options: ['auto', 'claude', 'chatgpt', 'claude-code', 'openai', 'sharegpt', 'markdown', 'locomo', 'bench'],
			default: 'auto',
		}),
		as: Flags.string({description: 'Line of memory: recall never crosses it', default: 'main', helpValue: 'LINE'}),
		'assume-tz': Flags.string({description: 'Zone of times that name none', default: 'UTC', helpValue: 'ZONE'}),
		strict: Flags.boolean({description: 'Any warning is an error, and nothing is written', default: false}),
		tz: Flags.string({
			description: 'Memory zone of a new file: days and the nightly hour are counted in it (default Asia/Shanghai)',
			helpValue: 'ZONE',
		}),
	};

	async run(): Promise<unknown> {
		const {flags, argv} = await this.parse(Import);
		const service = async () =>
			(await import('../src/cli/services/import.js')).runImport({...flags, paths: argv as string[]});
		return this.show('import', service);
	}
}
