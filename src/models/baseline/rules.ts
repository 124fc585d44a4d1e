import {readLexicon} from '../../text/lexicon.js';
import type {ExtractAnswer, Extractor} from '../tasks.js';
import {titleOf} from './key-terms.js';
import {type Piece, personalIds, piecesOf, toBeat} from './pieces.js';
import {tagsOf} from './tags.js';

/** Families of the capture lexicon in order of rank: a sentence belongs to the first that fits. */
const FAMILIES = ['body', 'agreement', 'decision', 'preference', 'todo', 'fact'] as const;
type Family = (typeof FAMILIES)[number];

/** The tag that a family adds, in the words of the topics lexicon. */
const TAGS: Readonly<Record<Family, string>> = {
	body: '身体',
	agreement: '约定',
	decision: '决定',
	preference: '偏好',
	todo: '待办',
	fact: '事实',
};

const lexicon = readLexicon('capture');
const PATTERNS = FAMILIES.map(family => [family, toPattern(family)] as const);
const NEGATION = toPattern('negation');

function toPattern(family: string): RegExp {
	return new RegExp((lexicon[family] ?? []).map(part => `(?:${part})`).join('|'), 'iu');
}

const familyOf = (text: string): Family | null => PATTERNS.find(([, pattern]) => pattern.test(text))?.[0] ?? null;

/**
 * Takes only what the capture lexicon marks: few cards, high precision (spec: cards, Baselines). What it leaves is
 * listed as an event that was not carded; a negation without another cue is listed with its own reason.
 */
export const rulesExtractor: Extractor = {
	id: 'rules/1',
	promptSha: null,
	isLanguageModel: false,
	async extract(window, {assistantBeats}) {
		const pieces = piecesOf(window, assistantBeats === 'all');
		const groups = groupBy(pieces, piece => `${piece.part.message_id}\u0000${familyOf(piece.text) ?? ''}`);
		const value: {events: ExtractAnswer['events'][number][]; cards: ExtractAnswer['cards'][number][]} = {
			events: [],
			cards: [],
		};
		for (const group of groups) {
			const texts = group.map(piece => piece.text);
			const family = familyOf(texts[0]!);
			value.events.push({
				summary: titleOf(texts),
				related_user_message_ids: personalIds(group),
				carded: family !== null,
				reason:
					family ??
					(texts.some(text => NEGATION.test(text)) ? 'a negation, but no other cue' : 'no cue of the lexicon'),
			});
			if (family === null) continue;
			value.cards.push({
				title: titleOf(texts),
				tags: [...new Set([TAGS[family], ...tagsOf(texts.join('\n'))])],
				relay_quote: false,
				beats: group.map(piece => toBeat(window, piece)),
			});
		}
		return {ok: true, value};
	},
};

function groupBy(pieces: readonly Piece[], keyOf: (piece: Piece) => string): Piece[][] {
	const groups = new Map<string, Piece[]>();
	for (const piece of pieces) {
		const key = keyOf(piece);
		const group = groups.get(key);
		if (group) group.push(piece);
		else groups.set(key, [piece]);
	}
	return [...groups.values()];
}
