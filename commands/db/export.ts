import {Flags} from '@oclif/core';
import {dbFlag, HindcastCommand} from '../../src/cli/command.js';

export default class DbExport extends HindcastCommand {
	static override enableJsonFlag = false;
	static override summary = 'Print a table as NDJSON, sorted by id.';
	static override description =
		'Leaves out run ids and wall-clock columns, so that two equal runs print the same bytes. docs/schema.md describes the tables.';
	static override examples = [
		'<%= config.bin %> db export --ndjson cards > cards.ndjson',
		'<%= config.bin %> db export --ndjson exposures --all-columns',
	];
	static override flags = {
		...dbFlag,
		ndjson: Flags.string({description: 'Table to print', required: true, helpValue: 'TABLE'}),
		'all-columns': Flags.boolean({description: 'Also run ids and wall-clock columns', default: false}),
	};

	async run(): Promise<unknown> {
		const {flags} = await this.parse(DbExport);
		const write = (text: string) =>
			new Promise<void>((resolve, reject) => process.stdout.write(text, error => (error ? reject(error) : resolve())));
		const service = async () => (await import('../../src/cli/services/db.js')).runExport(flags, write);
		return this.show('db export', service);
	}
}
