import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {basename} from 'node:path';
import {parse} from 'yaml';
import {z} from 'zod';
import {packageFile} from '../core/package-root.js';
import {HindcastError} from '../errors.js';
import {CROP_BEATS_MAX} from '../stages/crop/constants.js';
import {
	CONTEXT_MESSAGE_CHARS_MAX,
	CONTEXT_MESSAGES,
	PER_ROUTE_MAX,
	PER_ROUTE_MAX_ALONE,
	RELATION_MAX,
} from '../stages/recall/constants.js';
import {SHORTLIST_MAX} from '../stages/shortlist/constants.js';

const size = z.int().min(0).max(10_000);

/** A route's size: with the relation slot, and without it. */
const Route = z.strictObject({
	top: size.default(PER_ROUTE_MAX).describe('Cards taken while the relation slot is on'),
	top_alone: size.default(PER_ROUTE_MAX_ALONE).describe('Cards taken while it is off'),
});

/** Every setting of the pipeline that an arm may change. Docs: docs/arms.md, which a test compares with this schema. */
export const Arm = z.strictObject({
	name: z.string().min(1).describe('Name in tables and reports'),
	description: z.string().default('').describe('One line for people'),
	embedder: z.string().default('auto').describe('auto, static, or a model; --embedder overrides it'),
	availability: z
		.enum(['nightly', 'immediate'])
		.default('nightly')
		.describe('When a card can first be seen: at 06:00 of the next day in the memory zone, or at once'),
	include_dropped: z.boolean().default(false).describe('Read cards that the second review dropped too'),
	gate: z.boolean().default(true).describe('Let rules exempt acknowledgements and the like'),
	text: z
		.enum(['plain', 'context'])
		.default('plain')
		.describe('Indexed text of a beat: title, tags, note, quote; or with speaker and preceding line as well'),
	context_messages: z.int().min(0).max(20).default(CONTEXT_MESSAGES).describe('Messages before the target in Q2'),
	context_chars: z.int().min(1).max(10_000).default(CONTEXT_MESSAGE_CHARS_MAX).describe('Code points of each in Q2'),
	routes: z
		.strictObject({
			q1_m2: Route.nullable().prefault({}).describe('The message against titles and tags; null turns it off'),
			q2_m4: Route.nullable().prefault({}).describe('Message and context against beats; null turns it off'),
			q1_m4: Route.nullable().default(null).describe('The message against beats; null turns it off'),
			q2_m2: Route.nullable().default(null).describe('Message and context against titles; null turns it off'),
			lexical: Route.nullable().default(null).describe('The message by BM25 against beats; null turns it off'),
		})
		.prefault({}),
	relation: z.enum(['off', 'auto']).default('auto').describe('Slot for entries; auto: on when the file has entries'),
	relation_max: size.default(RELATION_MAX).describe('Entries taken by plain cosine'),
	order: z
		.enum(['best_route', 'fusion'])
		.default('best_route')
		.describe('Order of the pool: by the best route score, or by standardised cosine plus weighted BM25'),
	fusion: z
		.strictObject({
			q1: z.number().min(0).default(1).describe('Weight of the standardised cosine of the message with a beat'),
			q2: z.number().min(0).default(0).describe('Weight of the same for message and context'),
			lexical: z.number().min(0).default(0.5).describe('Weight of standardised BM25'),
			lexical_selective: z
				.number()
				.min(0)
				.default(0)
				.describe('Added to it times the share of visible beats that share no word with the message'),
		})
		.prefault({}),
	shortlist: z.enum(['baseline', 'off']).default('baseline').describe('off: the first three of the pool'),
	shortlist_max: z.int().min(1).max(50).default(SHORTLIST_MAX).describe('Most cards kept'),
	crop_beats_max: z.int().min(2).max(200).default(CROP_BEATS_MAX).describe('Most beats of a card'),
	hits: z.enum(['card', 'beat']).default('card').describe('What the crop centres on: all beats, or the best scoring'),
	with_context_note: z.boolean().default(false).describe('Show context notes in the rendered beats'),
	judge: z.enum(['baseline', 'off']).default('baseline').describe('off: everything shortlisted is delivered'),
});

/** An arm in full. */
export type Arm = z.infer<typeof Arm>;

/** Names of the arms that the package ships. */
export const shippedArms = (): string[] =>
	readdirSync(packageFile('src/arms'))
		.filter(name => name.endsWith('.yaml'))
		.map(name => basename(name, '.yaml'))
		.sort();

/**
 * Reads an arm by its shipped name or from a YAML file; `extends: NAME` starts from a shipped arm.
 * @throws ARM_INVALID when it is not there or a setting is wrong
 */
export function loadArm(nameOrFile: string): Arm {
	const shipped = packageFile(`src/arms/${nameOrFile}.yaml`);
	const path = /^[\w-]+$/.test(nameOrFile) && existsSync(shipped) ? shipped : nameOrFile;
	if (!existsSync(path)) {
		throw new HindcastError('ARM_INVALID', {
			message: `There is no arm "${nameOrFile}", neither shipped (${shippedArms().join(', ')}) nor as a file.`,
		});
	}
	return parseArm(readFileSync(path, 'utf8'), path);
}

function parseArm(text: string, path: string): Arm {
	const invalid = (message: string) => new HindcastError('ARM_INVALID', {message: `${path}: ${message}`});
	let value: unknown;
	try {
		value = parse(text);
	} catch (error) {
		throw invalid(error instanceof Error ? error.message : String(error));
	}
	if (value === null || typeof value !== 'object' || Array.isArray(value)) throw invalid('is not a map of settings.');
	const {extends: base, ...own} = value as Record<string, unknown>;
	const merged = base === undefined ? own : merge(loadArm(String(base)) as Record<string, unknown>, own);
	const result = Arm.safeParse(merged);
	if (!result.success) throw invalid(z.prettifyError(result.error));
	return result.data;
}

function merge(base: Record<string, unknown>, own: Record<string, unknown>): Record<string, unknown> {
	const merged: Record<string, unknown> = {...base};
	for (const [key, value] of Object.entries(own)) {
		const before = merged[key];
		merged[key] = isMap(before) && isMap(value) ? merge(before, value) : value;
	}
	return merged;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
	value !== null && typeof value === 'object' && !Array.isArray(value);
