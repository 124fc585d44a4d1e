import type {MemoryBeat, MemoryCard} from '../../ports/store.js';

/** What goes into the indexed text of a beat. */
export type Recipe = 'plain' | 'context';

/** M2: title and tags (seed 1: "M2 是标题＋标签"). */
export const titleText = (card: Pick<MemoryCard, 'title' | 'tags'>): string =>
	[card.title, card.tags.join(' ')].join('\n');

/**
 * M4: title, tags, context note, quote (seed 1: "M4 是标题＋标签＋场景注＋原话"). The recipe `context` puts the speaker
 * before the quote and adds the line before it, and leaves out the rule-made note, which repeats that line.
 */
export function beatText(card: Pick<MemoryCard, 'title' | 'tags'>, beat: MemoryBeat, recipe: Recipe): string {
	if (recipe === 'plain') return [titleText(card), beat.context_note, beat.quote].join('\n');
	const said = beat.speaker ? `${beat.speaker}: ${beat.quote}` : beat.quote;
	return beat.preceding === null ? said : `${said}\n${beat.preceding}`;
}
