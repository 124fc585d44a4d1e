import {isAcknowledgement, isWordless} from '../../text/acknowledgement.js';

/** Why a message needs no recall, or `pass`. */
export type GateResult =
	| {readonly kind: 'pass'}
	| {readonly kind: 'exempt'; readonly rule: 'empty' | 'emoji' | 'acknowledgement'};

/**
 * The light rules before recall (seed 1: "规则仅挡纯表情／语气词…采用词表、正则、Unicode 分类，不按长度过滤；短确认词也在词表内").
 * @param text the cleaned target
 */
export function gate(text: string): GateResult {
	if (text.trim() === '') return {kind: 'exempt', rule: 'empty'};
	if (isWordless(text)) return {kind: 'exempt', rule: 'emoji'};
	if (isAcknowledgement(text)) return {kind: 'exempt', rule: 'acknowledgement'};
	return {kind: 'pass'};
}
