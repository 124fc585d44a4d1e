import type {Role} from '../domain/conversation.js';

/** Words that stand for a role and name nobody. Words that label other things as often, such as "Model", are left out. */
const GENERIC: ReadonlyMap<string, Role> = new Map<string, Role>([
	...['user', 'human', 'you', 'me', '用户', '我', '人类', '使用者', '提问者'].map(word => [word, 'user'] as const),
	...['assistant', 'ai', 'bot', 'chatbot', '助手', '助理', '机器人', 'ai助手', 'ai 助手'].map(
		word => [word, 'assistant'] as const,
	),
	...['system', 'developer', '系统'].map(word => [word, 'system'] as const),
	...['tool', '工具'].map(word => [word, 'tool'] as const),
]);

/** Labels that tools give to headings, and that prose gives to other things. */
const HEADINGS: ReadonlyMap<string, Role> = new Map<string, Role>([
	['prompt', 'user'],
	['response', 'assistant'],
]);

/** Names of models and of the products around them, with or without a version. */
const MODEL =
	/^(?:claude|chat ?gpt|gpt|gemini|bard|copilot|deepseek|grok|kimi|qwen|llama|mistral|perplexity|豆包|通义千问|文心一言|智谱清言)(?:[- ]?v?\d[\w.-]*|[- ](?:sonnet|opus|haiku|pro|flash|turbo|mini|plus|max|large|small|code|chat|instant|instruct|r1|o1|ai)){0,4}$/i;
const SAID = /\s*(?:said|says|asked|wrote|replied|说)$/i;

/** Who speaks, as a log has it. */
export interface Named {
	/** Null for a name that is no role and no model's. */
	readonly role: Role | null;
	/** Null for a word that names nobody. */
	readonly speaker: string | null;
}

/** The role that a name stands for in a log; as a heading or in bold it may be a label too. */
export function whoIs(name: string, isHeading = false): Named {
	const bare = name.trim().replace(SAID, '');
	const word = bare.toLowerCase();
	const role = GENERIC.get(word) ?? (isHeading ? HEADINGS.get(word) : undefined);
	if (role) return {role, speaker: null};
	return {role: MODEL.test(bare) ? 'assistant' : null, speaker: bare};
}
