import {Args} from '@oclif/core';
import {HindcastCommand, modelFlags} from '../../src/cli/command.js';

export default class ModelsVerify extends HindcastCommand {
	static override summary = 'Check model files against their checksums, and that they run.';
	static override examples = [
		'<%= config.bin %> models verify',
		'<%= config.bin %> models verify all-minilm-l6-v2 --json',
	];
	static override strict = false;
	static override args = {name: Args.string({description: 'Model; several may be given'})};
	static override flags = {
		...modelFlags,
	};

	async run(): Promise<unknown> {
		const {flags, argv} = await this.parse(ModelsVerify);
		return this.show('models verify', async () =>
			(await import('../../src/cli/services/models.js')).runModelsVerify({...flags, names: argv as string[]}),
		);
	}
}
