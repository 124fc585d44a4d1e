import {Flags} from '@oclif/core';
import {dbFlag, HindcastCommand} from '../src/cli/command.js';

export default class Extract extends HindcastCommand {
	static override summary = 'Make event cards with verbatim beats of the imported messages.';
	static override description =
		'Handles every window that has no cards yet; running it again adds nothing. Every quote is checked against its message.';
	static override examples = [
		'<%= config.bin %> extract',
		'<%= config.bin %> extract --extractor rules --day yesterday',
		'<%= config.bin %> extract --assistant-beats all --json',
	];
	static override flags = {
		...dbFlag,
		extractor: Flags.string({
			description: 'verbatim writes every sentence down; rules takes decisions, preferences, facts, todos',
			options: ['verbatim', 'rules'],
			default: 'verbatim',
		}),
		'assistant-beats': Flags.string({
			description: 'one: at most one short beat of the assistant a card; all: its sentences are beats too',
			options: ['one', 'all'],
			default: 'one',
		}),
		day: Flags.string({description: 'Only this day of the memory zone', helpValue: 'YYYY-MM-DD|yesterday'}),
		since: Flags.string({description: 'From this day on', helpValue: 'YYYY-MM-DD', exclusive: ['day']}),
		until: Flags.string({description: 'Up to and with this day', helpValue: 'YYYY-MM-DD', exclusive: ['day']}),
		'retry-failed': Flags.boolean({description: 'Handle failed windows again', default: false}),
	};

	async run(): Promise<unknown> {
		const {flags} = await this.parse(Extract);
		return this.show('extract', async () => (await import('../src/cli/services/extract.js')).runExtract(flags));
	}
}
