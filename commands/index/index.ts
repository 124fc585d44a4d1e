import {Flags} from '@oclif/core';
import {dbFlag, HindcastCommand, modelFlags} from '../../src/cli/command.js';

export default class Index extends HindcastCommand {
	static override summary = 'Embed titles and beats for recall.';
	static override description = 'A text is embedded once a model; running it again embeds only what is new.';
	static override examples = ['<%= config.bin %> index', '<%= config.bin %> index --embedder static --json'];
	static override flags = {
		...dbFlag,
		...modelFlags,
		embedder: Flags.string({
			description: 'Embedder; auto takes the best that is here',
			default: 'auto',
			helpValue: 'NAME',
		}),
		cards: Flags.string({description: 'Aggregated card set, needed when there are several', helpValue: 'SET'}),
	};

	async run(): Promise<unknown> {
		const {flags} = await this.parse(Index);
		return this.show('index', async () => (await import('../../src/cli/services/index.js')).runIndex(flags));
	}
}
