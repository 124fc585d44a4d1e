import {cleanInjected} from '../../text/clean.js';
import {sliceCodePoints} from '../../text/code-points.js';

/** The two questions that are put to the memory. */
export interface Queries {
	/** The cleaned target. */
	readonly q1: string;
	/** The messages before it and the target, each cleaned, then cut, oldest first. */
	readonly q2: string;
}

/**
 * Seed 1: "Q1 是清洗后的当前消息；Q2 是最近三条 done 消息加当前消息 … 各条最多 400 字符；检索前剥掉记忆、交接、状态等系统拼接块".
 * @param before texts of the messages before the target, oldest first
 * @param chars most code points of each in Q2
 */
export function buildQueries(target: string, before: readonly string[], chars: number): Queries {
	const q1 = cleanInjected(target);
	const lines = [...before.map(cleanInjected), q1]
		.map(text => sliceCodePoints(text, 0, chars))
		.filter(text => text !== '');
	return {q1, q2: lines.join('\n')};
}
