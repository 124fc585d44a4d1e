import {HindcastCommand, modelFlags} from '../../src/cli/command.js';

export default class ModelsList extends HindcastCommand {
	static override summary = 'List the embedding models, where they are, and where their files have to lie.';
	static override examples = [
		'<%= config.bin %> models list',
		'<%= config.bin %> models list --model-dir /data/models --json',
	];
	static override flags = {
		...modelFlags,
	};

	async run(): Promise<unknown> {
		const {flags} = await this.parse(ModelsList);
		return this.show('models list', async () =>
			(await import('../../src/cli/services/models.js')).runModelsList(flags),
		);
	}
}
