import {dbFlag, HindcastCommand} from '../../src/cli/command.js';

export default class DbInfo extends HindcastCommand {
	static override summary = 'Show sizes, counts and fingerprints of a memory file.';
	static override examples = ['<%= config.bin %> db info', '<%= config.bin %> db info --db work.duckdb --json'];
	static override flags = {...dbFlag};

	async run(): Promise<unknown> {
		const {flags} = await this.parse(DbInfo);
		return this.show('db info', async () => (await import('../../src/cli/services/db.js')).runInfo(flags));
	}
}
