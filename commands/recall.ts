import {Args, Flags} from '@oclif/core';
import {dbFlag, HindcastCommand, modelFlags} from '../src/cli/command.js';

export default class Recall extends HindcastCommand {
	static override summary = 'Find what may be related to a text or a past message.';
	static override description =
		'Without --at it sees everything in the file; with --message it sees what that message could have seen.';
	static override examples = [
		'<%= config.bin %> recall "今晚喝什么好呢"',
		'<%= config.bin %> recall "which database did we choose" --at 2026-02-20T00:00:00Z',
		'<%= config.bin %> recall --message m_0123456789abcdef --explain c_0123456789abcdef',
	];
	static override args = {text: Args.string({description: 'What to look for'})};
	static override flags = {
		...dbFlag,
		...modelFlags,
		message: Flags.string({
			description: 'A message of the file, as of its own time',
			helpValue: 'ID',
			exclusive: ['line'],
		}),
		at: Flags.string({description: 'See only what was there before this time', helpValue: 'TIME'}),
		line: Flags.string({description: 'Line of memory, needed when there are several', helpValue: 'NAME'}),
		arm: Flags.string({description: 'Shipped arm or a YAML file', default: 'hybrid', helpValue: 'NAME|FILE'}),
		explain: Flags.string({description: 'Tell where this card ranks, or why it is not seen', helpValue: 'CARD'}),
		limit: Flags.integer({description: 'Candidates to print (--json has all)', default: 10, min: 1}),
		availability: Flags.string({
			description: 'When a card can first be seen: 06:00 of the next day, or at once',
			options: ['nightly', 'immediate'],
		}),
		embedder: Flags.string({description: "Embedder, in place of the arm's", helpValue: 'NAME'}),
		cards: Flags.string({description: 'Aggregated card set, needed when there are several', helpValue: 'SET'}),
	};

	async run(): Promise<unknown> {
		const {flags, args} = await this.parse(Recall);
		const service = async () => (await import('../src/cli/services/recall.js')).runRecall({...flags, text: args.text});
		return this.show('recall', service);
	}
}
