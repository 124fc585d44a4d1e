import {BEATS_PER_CARD_MAX} from '../../stages/extract/constants.js';
import {tokenize} from '../../text/tokens.js';
import type {ExtractAnswer, Extractor} from '../tasks.js';
import {titleOf} from './key-terms.js';
import {type Piece, personalIds, piecesOf, toBeat} from './pieces.js';
import {tagsOf} from './tags.js';

/** A pause that ends a topic, in microseconds: half an hour. */
const PAUSE_MICROS = 30 * 60 * 1_000_000;
/** A message that shares less than this share of its words with the run so far ends it, once the run has some length. */
const DIP_BELOW = 0.04;
const DIP_AFTER_PIECES = 3;

/**
 * Writes everything down and leaves judging to the reader: topical runs of neighbouring messages become cards, every
 * sentence that is not a pure acknowledgement a beat (spec: cards, Baselines).
 */
export const verbatimExtractor: Extractor = {
	id: 'verbatim/1',
	promptSha: null,
	isLanguageModel: false,
	async extract(window, {assistantBeats}) {
		const runs = topicalRuns(piecesOf(window, assistantBeats === 'all'));
		const cards = runs.map(run => {
			const texts = run.map(piece => piece.text);
			return {
				title: titleOf(texts),
				tags: tagsOf(texts.join('\n')),
				relay_quote: false,
				beats: run.map(piece => toBeat(window, piece)),
			};
		});
		const events = cards.map((card, i) => ({
			summary: card.title,
			related_user_message_ids: personalIds(runs[i]!),
			carded: true,
			reason: 'verbatim: every sentence that says something',
		}));
		return {ok: true, value: {events, cards} satisfies ExtractAnswer};
	},
};

/** Runs of pieces: a pause, a dip of the similarity at a new message, or a full card ends one. */
function topicalRuns(pieces: readonly Piece[]): Piece[][] {
	const runs: Piece[][] = [];
	let words = new Set<string>();
	for (const piece of pieces) {
		const run = runs.at(-1);
		if (!run || run.length >= BEATS_PER_CARD_MAX || breaksTopic(run, words, piece)) {
			runs.push([piece]);
			words = new Set(tokenize(piece.text));
		} else {
			run.push(piece);
			for (const token of tokenize(piece.text)) words.add(token);
		}
	}
	return runs;
}

function breaksTopic(run: readonly Piece[], words: ReadonlySet<string>, piece: Piece): boolean {
	const last = run.at(-1)!;
	if (last.part.message_id === piece.part.message_id) return false;
	const [before, now] = [last.part.created_at, piece.part.created_at];
	if (before !== null && now !== null && now - before > PAUSE_MICROS) return true;
	if (run.length < DIP_AFTER_PIECES) return false;
	const tokens = tokenize(piece.part.text);
	const shared = tokens.filter(token => words.has(token)).length;
	return tokens.length > 0 && shared / tokens.length < DIP_BELOW;
}
