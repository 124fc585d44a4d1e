import {readFileSync} from 'node:fs';
import {isPersonal, type Question} from '../../domain/conversation.js';
import {HindcastError} from '../../errors.js';
import type {StagePorts} from '../../ports/ports.js';
import type {MessageTarget} from '../../ports/store.js';
import type {EvidenceRecall} from '../../stages/replay/evidence.js';
import {type ReplayReport, replay} from '../../stages/replay/replay.js';
import type {Store} from '../../store/store.js';
import {resolveArm} from '../arm-setup.js';
import type {ServiceResult} from '../result.js';
import {counted, type SessionFlags, table, withStore} from '../session.js';

export interface ReplayFlags extends SessionFlags {
	readonly arm: readonly string[];
	readonly targets: string;
	readonly repeats: number;
	readonly embedder?: string | undefined;
	readonly availability?: string | undefined;
	readonly cards?: string | undefined;
	readonly 'model-dir'?: string | undefined;
}

type Item = MessageTarget | Question;

/** `hindcast replay`: every arm over the same targets. */
export const runReplay = (flags: ReplayFlags): Promise<ServiceResult> =>
	withStore(flags, {}, async (store, ports) => {
		const targets = await selectTargets(flags.targets, store);
		const reports: ReplayReport[] = [];
		for (const arm of flags.arm) reports.push(await replayArm(arm, flags, targets, store, ports));
		const interrupted = reports.some(report => report.interrupted);
		const [first] = reports;
		return {
			// One arm: its fields at the top, as the contract has them; several: a list as well.
			json: {...first, ...(reports.length > 1 ? {arms: reports} : {})},
			text: reports.map(summary).join('\n\n'),
			exit: interrupted ? 130 : 0,
		};
	});

/** One arm over some targets. */
export async function replayArm(
	arm: string,
	flags: Pick<ReplayFlags, 'repeats' | 'embedder' | 'availability' | 'cards' | 'model-dir' | 'offline'>,
	targets: ReadonlyMap<string, readonly Item[]>,
	store: Store,
	ports: StagePorts,
): Promise<ReplayReport> {
	const {setup, config} = await resolveArm(arm, flags, store, ports);
	return replay({setup, armConfig: config, repeats: flags.repeats, targets}, {...ports, store});
}

/**
 * Targets by line: `messages` (visible, typed by a person), `questions`, `all`, or `@FILE` of ids, one a line.
 * @throws TARGET_UNKNOWN when an id of the file is not there, NOTHING_TO_DO when nothing is selected
 */
export async function selectTargets(selection: string, store: Store): Promise<Map<string, Item[]>> {
	const wanted = selection.startsWith('@') ? readIds(selection.slice(1)) : null;
	const items: Item[] = [];
	if (selection === 'messages' || selection === 'all' || wanted) {
		for await (const message of store.messageTargets()) {
			if (wanted ? wanted.has(message.message_id) : isPersonal(message, message.kind)) items.push(message);
		}
	}
	if (selection === 'questions' || selection === 'all' || wanted) {
		for (const question of await store.questions())
			if (!wanted || wanted.has(question.question_id)) items.push(question);
	}
	if (wanted) refuseUnknown(wanted, items);
	if (items.length === 0) {
		throw new HindcastError('NOTHING_TO_DO', {message: `No ${selection} in this file.`, hint: 'Import some first.'});
	}
	const byLine = new Map<string, Item[]>();
	for (const item of items) {
		const list = byLine.get(item.line);
		if (list) list.push(item);
		else byLine.set(item.line, [item]);
	}
	return new Map([...byLine].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function readIds(path: string): Set<string> {
	let text: string;
	try {
		text = readFileSync(path, 'utf8');
	} catch {
		throw new HindcastError('PATH_MISSING', {message: `There is no file ${path}.`});
	}
	return new Set(text.split(/\s+/u).filter(id => id !== ''));
}

function refuseUnknown(wanted: ReadonlySet<string>, items: readonly Item[]): void {
	const found = new Set(items.map(item => ('message_id' in item ? item.message_id : item.question_id)));
	const missing = [...wanted].filter(id => !found.has(id));
	if (missing.length === 0) return;
	throw new HindcastError('TARGET_UNKNOWN', {
		message: `${missing.length} of ${wanted.size} targets are not in the file, the first is ${missing[0]}.`,
		details: {missing: missing.slice(0, 20)},
	});
}

/** The summary of one arm for people. */
export function summary(report: ReplayReport): string {
	const rows: [string, string | number][] = [
		['arm', `${report.arm} (${report.arm_sha.slice(0, 8)})`],
		['targets', report.targets],
		['delivered', report.delivered],
		['rejected', report.rejected],
		['skipped', counted(report.skipped)],
		['exposures', counted(report.exposures)],
	];
	const total = report.latency_ms.total_ms;
	if (total) rows.push(['latency', `p50 ${total.p50} ms, p90 ${total.p90} ms, p99 ${total.p99} ms`]);
	if (report.evidence) rows.push(['evidence', evidenceText(report.evidence)]);
	for (const [category, evidence] of Object.entries(report.by_category))
		rows.push([`  ${category}`, evidenceText(evidence)]);
	return table(rows);
}

const share = (value: number | null): string => (value === null ? '-' : value.toFixed(3));

function evidenceText({
	questions,
	recall_at_5,
	recall_at_20,
	pool,
	unanswerable,
	unanswerable_delivered,
}: EvidenceRecall): string {
	const open =
		unanswerable > 0 ? `; ${unanswerable} without answer, delivered for ${share(unanswerable_delivered)}` : '';
	if (questions === 0) return `no questions with evidence${open}`;
	return `recall@5 ${share(recall_at_5)}, @20 ${share(recall_at_20)}, pool ${share(pool)} of ${questions} questions${open}`;
}
