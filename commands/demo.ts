import {Flags} from '@oclif/core';
import {HindcastCommand} from '../src/cli/command.js';

export default class Demo extends HindcastCommand {
	static override summary = 'Run the whole path over the shipped samples, offline.';
	static override description =
		'Imports the samples, makes cards, joins and indexes them, replays two arms over every message, and writes a report of what each delivered.';
	static override examples = ['<%= config.bin %> demo', '<%= config.bin %> demo --out my-demo --json'];
	static override flags = {
		out: Flags.string({
			description: 'Folder for the memory file and the report',
			default: './reports/demo',
			helpValue: 'DIR',
		}),
	};

	async run(): Promise<unknown> {
		const {flags} = await this.parse(Demo);
		return this.show('demo', async () => (await import('../src/cli/services/demo.js')).runDemo(flags));
	}
}
