import {Flags} from '@oclif/core';
import {dbFlag, HindcastCommand, modelFlags} from '../src/cli/command.js';

export default class Replay extends HindcastCommand {
	static override summary = 'Replay recall for past messages, each as of its own time.';
	static override description =
		'Sends every target through gate, recall, shortlist, crop and judge, seeing only what was said and processed before it, and keeps an exposure for each. A stopped replay goes on where it was.';
	static override examples = [
		'<%= config.bin %> replay',
		'<%= config.bin %> replay --arm seed --arm hybrid --embedder static',
		'<%= config.bin %> replay --targets questions --availability immediate --json',
		'<%= config.bin %> replay --targets @ids.txt --arm my-arm.yaml',
	];
	static override flags = {
		...dbFlag,
		...modelFlags,
		arm: Flags.string({
			description: 'Shipped arm or a YAML file; may be repeated',
			multiple: true,
			default: ['hybrid'],
			helpValue: 'NAME|FILE',
		}),
		targets: Flags.string({
			description: 'messages (typed by a person), questions, all, or @FILE of ids',
			default: 'messages',
			helpValue: 'SEL',
		}),
		repeats: Flags.integer({description: 'Passes per target', default: 1, min: 1, max: 100}),
		availability: Flags.string({
			description: 'When a card can first be seen: 06:00 of the next day, or at once',
			options: ['nightly', 'immediate'],
		}),
		embedder: Flags.string({description: "Embedder, in place of the arm's", helpValue: 'NAME'}),
		cards: Flags.string({description: 'Aggregated card set, needed when there are several', helpValue: 'SET'}),
	};

	async run(): Promise<unknown> {
		const {flags} = await this.parse(Replay);
		return this.show('replay', async () => (await import('../src/cli/services/replay.js')).runReplay(flags));
	}
}
