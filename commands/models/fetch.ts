import {Args, Flags} from '@oclif/core';
import {HindcastCommand, modelFlags} from '../../src/cli/command.js';

export default class ModelsFetch extends HindcastCommand {
	static override summary = 'Fetch an embedding model from the Hugging Face hub or a mirror (HF_ENDPOINT).';
	static override examples = [
		'<%= config.bin %> models fetch bge-small-zh-v1.5',
		'HF_ENDPOINT=https://hub.example <%= config.bin %> models fetch bge-small-zh-v1.5 all-minilm-l6-v2',
	];
	static override strict = false;
	static override args = {name: Args.string({description: 'Model; several may be given', required: true})};
	static override flags = {
		...modelFlags,
		force: Flags.boolean({description: 'Fetch it even when it is here', default: false}),
	};

	async run(): Promise<unknown> {
		const {flags, argv} = await this.parse(ModelsFetch);
		return this.show('models fetch', async () =>
			(await import('../../src/cli/services/models.js')).runModelsFetch({...flags, names: argv as string[]}),
		);
	}
}
