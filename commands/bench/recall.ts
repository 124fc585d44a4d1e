import {Flags} from '@oclif/core';
import {HindcastCommand, modelFlags} from '../../src/cli/command.js';

export default class BenchRecall extends HindcastCommand {
	static override summary =
		'Measure evidence recall on sets with known evidence, against BM25 and one vector a message.';
	static override description =
		'A set is a folder with conversations.jsonl and queries.jsonl (docs/benchmarks.md). Cards are made with verbatim and all assistant beats, as of each question with immediate availability; no language model is used.';
	static override examples = [
		'<%= config.bin %> bench recall --sets sets/locomo --embedder static --arm hybrid',
		'<%= config.bin %> bench recall --sets sets/locomo --sets sets/memdaily --arm seed --arm hybrid --fold a --json',
	];
	static override flags = {
		sets: Flags.string({
			description: 'Folder of a set; may be repeated',
			required: true,
			multiple: true,
			helpValue: 'DIR',
		}),
		embedder: Flags.string({description: 'Embedder', default: ['static'], multiple: true, helpValue: 'NAME'}),
		arm: Flags.string({
			description: 'Shipped arm or a YAML file',
			default: ['hybrid'],
			multiple: true,
			helpValue: 'NAME|FILE',
		}),
		fold: Flags.string({
			description: 'Half of the conversations: tune on a, report both',
			options: ['a', 'b', 'all'],
			default: 'all',
		}),
		cache: Flags.string({description: 'Folder that keeps vectors between runs', helpValue: 'DIR'}),
		queries: Flags.integer({description: 'Most questions a set, by even stride', min: 1}),
		rivals: Flags.boolean({description: 'Also measure BM25 and one vector a message', default: true, allowNo: true}),
		...modelFlags,
	};

	async run(): Promise<unknown> {
		const {flags} = await this.parse(BenchRecall);
		return this.show('bench recall', async () =>
			(await import('../../src/cli/services/bench-recall.js')).runBenchRecall(flags),
		);
	}
}
