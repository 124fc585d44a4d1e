import {Flags} from '@oclif/core';
import {dbFlag, HindcastCommand} from '../src/cli/command.js';

export default class Aggregate extends HindcastCommand {
	static override summary = 'Join fragments of one event and mark what to keep (the second review).';
	static override description =
		'Works on the cards of a day at a time. A batch that loses, adds or changes a beat is refused whole.';
	static override examples = ['<%= config.bin %> aggregate', '<%= config.bin %> aggregate --cards rules --json'];
	static override flags = {
		...dbFlag,
		cards: Flags.string({
			description: 'Extracted card set to read, by id or extractor; needed when there are several',
			helpValue: 'SET',
		}),
	};

	async run(): Promise<unknown> {
		const {flags} = await this.parse(Aggregate);
		return this.show('aggregate', async () => (await import('../src/cli/services/aggregate.js')).runAggregate(flags));
	}
}
