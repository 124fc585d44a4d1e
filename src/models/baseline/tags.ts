import {readLexicon} from '../../text/lexicon.js';

/** One matcher a tag: Chinese words anywhere, Latin words whole, or by their beginning when they end in `*`. */
const MATCHERS: readonly (readonly [string, RegExp])[] = Object.entries(readLexicon('topics')).map(([tag, words]) => {
	const chinese = words.filter(word => /\p{Script=Han}/u.test(word));
	const latin = words.filter(word => !/\p{Script=Han}/u.test(word)).map(word => word.replace(/\*$/, '\\p{L}*'));
	const parts = [
		...chinese,
		...(latin.length > 0 ? [`(?<![\\p{L}\\p{N}])(?:${latin.join('|')})(?![\\p{L}\\p{N}])`] : []),
	];
	return [tag, new RegExp(parts.join('|'), 'iu')] as const;
});

/** Tags of the topics lexicon whose words stand in the text, in the lexicon's order. */
export const tagsOf = (text: string): string[] => MATCHERS.filter(([, words]) => words.test(text)).map(([tag]) => tag);
