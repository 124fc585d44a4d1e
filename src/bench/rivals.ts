import type {Embedder} from '../ports/embedder.js';
import {Bm25} from '../search/bm25.js';
import {dotRows, roundScore, toMatrix} from '../search/vectors.js';
import {codePointLength} from '../text/code-points.js';
import {tokenize} from '../text/tokens.js';
import type {BenchMessage} from './set.js';

/** A system that ranks messages for a question, to compare with. */
export interface Rival {
	readonly name: string;
	/** Whether its figures depend on the embedder. */
	readonly usesEmbedder: boolean;
	/** @returns a ranking: scores of the messages that it was given, higher is better */
	prepare(messages: readonly BenchMessage[]): Promise<(question: string, visible: Uint8Array) => Promise<Float64Array>>;
}

const withSpeaker = ({speaker, text}: BenchMessage): string => (speaker ? `${speaker}: ${text}` : text);

const bm25 = (name: string, textOf: (message: BenchMessage, before: BenchMessage | undefined) => string): Rival => ({
	name,
	usesEmbedder: false,
	async prepare(messages) {
		const index = new Bm25(messages.map((message, i) => tokenize(textOf(message, previous(messages, i)))));
		return async (question, visible) => index.score(tokenize(question), visible);
	},
});

/** The message before in the same conversation. */
const previous = (messages: readonly BenchMessage[], i: number): BenchMessage | undefined =>
	messages[i - 1]?.conversation_id === messages[i]?.conversation_id ? messages[i - 1] : undefined;

/** BM25 over messages, bare and with speaker and preceding line, and one vector a message. */
export const rivals = (embedder: Embedder): readonly Rival[] => [
	bm25('bm25', message => message.text),
	bm25('bm25+context', (message, before) => [withSpeaker(message), before ? withSpeaker(before) : ''].join('\n')),
	{
		name: 'vector',
		usesEmbedder: true,
		async prepare(messages) {
			const matrix = toMatrix(await embedder.embed(messages.map(withSpeaker)), embedder.dim);
			return async question => dotRows(matrix, (await embedder.embed([question]))[0]!);
		},
	},
];

/** Messages by score, ties by time order; every visible message is ranked, so that a rival has no empty places. */
export function rankMessages(
	messages: readonly BenchMessage[],
	scores: Float64Array,
	visible: Uint8Array,
): {ranked: string[]; shownChars: number[]} {
	const order = [...messages.keys()]
		.filter(i => visible[i] === 1)
		.sort((a, b) => roundScore(scores[b]!) - roundScore(scores[a]!) || a - b);
	let shown = 0;
	const shownChars = order.map(i => {
		shown += codePointLength(withSpeaker(messages[i]!));
		return shown;
	});
	return {ranked: order.map(i => messages[i]!.message_id), shownChars};
}
