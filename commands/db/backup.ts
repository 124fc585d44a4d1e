import {Flags} from '@oclif/core';
import {dbFlag, HindcastCommand} from '../../src/cli/command.js';

export default class DbBackup extends HindcastCommand {
	static override summary = 'Copy a memory file whole.';
	static override examples = ['<%= config.bin %> db backup', '<%= config.bin %> db backup --out copy.duckdb'];
	static override flags = {
		...dbFlag,
		out: Flags.string({description: 'File to write; must not exist (default FILE.backup-TIME)', helpValue: 'FILE'}),
	};

	async run(): Promise<unknown> {
		const {flags} = await this.parse(DbBackup);
		return this.show('db backup', async () => (await import('../../src/cli/services/db.js')).runBackup(flags));
	}
}
