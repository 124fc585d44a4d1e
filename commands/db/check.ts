import {dbFlag, HindcastCommand} from '../../src/cli/command.js';

export default class DbCheck extends HindcastCommand {
	static override summary = 'Check that quotes, beats, references and cutoffs hold.';
	static override description =
		'Every delivered character must resolve to a message and a span, no beat may be lost, and no replay may have seen what came later. Exit code 4 when something is found.';
	static override examples = ['<%= config.bin %> db check', '<%= config.bin %> db check --db work.duckdb --json'];
	static override flags = {...dbFlag};

	async run(): Promise<unknown> {
		const {flags} = await this.parse(DbCheck);
		return this.show('db check', async () => (await import('../../src/cli/services/db.js')).runCheck(flags));
	}
}
