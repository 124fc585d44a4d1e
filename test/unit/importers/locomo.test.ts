import {readFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {isoOfSessionDate, locomo, resolveEvidence} from '../../../src/importers/locomo.js';
import {layoutOf} from '../../../src/importers/prefix.js';
import {fixture, importText, locomoFile} from './helpers.js';

const load = async (zone = 'UTC') => importText(locomo, await readFile(fixture('locomo/two-sessions.json')), zone);

describe('a small file', () => {
	test('a line a sample, a conversation a session, in order of their numbers', async () => {
		const {conversations} = await load();
		expect(conversations).toMatchObject([
			{
				native_id: 'conv-x:session_1',
				line: 'locomo:conv-x',
				kind: 'people',
				created_at: Date.parse('2023-05-08T13:56:00Z') * 1000,
			},
			{
				native_id: 'conv-x:session_2',
				line: 'locomo:conv-x',
				kind: 'people',
				created_at: Date.parse('2023-06-01T00:05:00Z') * 1000,
			},
		]);
		expect(conversations[0]?.extra).toEqual({session_date_time: '1:56 pm on 8 May, 2023'});
	});

	test('roles go by name, both are human; the time of the session is exact for its first turn only', async () => {
		const {conversations} = await load('Asia/Shanghai');
		const [first, second] = conversations[0]?.messages ?? [];
		expect(first).toMatchObject({native_id: 'D1:1', role: 'user', speaker: 'Ana', authorship: 'human'});
		expect(first?.time_inherited).toBeUndefined();
		expect(second).toMatchObject({role: 'assistant', speaker: 'Bo', authorship: 'human', time_inherited: true});
		expect(second?.created_at).toBe(Date.parse('2023-05-08T05:56:00Z') * 1000);
		expect(conversations[1]?.messages[0]).toMatchObject({role: 'assistant', speaker: 'Bo'});
	});

	test('B416 captions are attachments', async () => {
		const {conversations} = await load();
		expect(conversations[0]?.messages[1]?.attachments).toEqual([{name: null, type: 'image', text: 'a photo of a cat'}]);
		expect(conversations[1]?.messages[1]?.attachments).toEqual([
			{name: 'flat.jpg', type: 'image', text: 'a photo of a flat'},
		]);
	});

	test('B417, B418 questions: names of categories, answers as text, evidence split or dropped', async () => {
		const {questions, warnings, skips} = await load();
		expect(
			questions.map(({category, answer, answerable, evidence_native_ids}) => [
				category,
				answer,
				answerable,
				evidence_native_ids,
			]),
		).toEqual([
			['single-hop', '2', true, ['D1:1']],
			['temporal', 'May', true, ['D1:2', 'D2:1']],
			['multi-hop', 'yes', true, ['D1:1', 'D2:1', 'D2:2']],
			['open-domain', 'no', true, ['D2:2']],
			['adversarial', null, false, ['D2:2']],
		]);
		expect(questions[4]).toMatchObject({
			native_id: null,
			asked_at: null,
			line: 'locomo:conv-x',
			extra: {adversarial_answer: 'yes'},
		});
		expect(warnings.map(({kind, detail}) => [kind, detail])).toEqual([
			['evidence_malformed', 'D'],
			['evidence_malformed', 'D:11:26'],
			['evidence_unresolved', 'D1:02'],
			['evidence_unresolved', 'D9:9'],
		]);
		expect(skips).toEqual([
			'session_without_turns',
			'event_summary',
			'event_summary',
			'observation',
			'session_summary',
		]);
	});

	test('is recognised, also when the sample cuts it before the talk', async () => {
		const text = (await readFile(fixture('locomo/two-sessions.json'))).toString();
		expect(locomo.sniff(layoutOf(text, true))).toBe(true);
		expect(locomo.sniff(layoutOf(text.slice(0, 200), false))).toBe(true);
	});
});

test.each([
	['1:56 pm on 8 May, 2023', '2023-05-08T13:56:00'],
	['12:00 am on 31 December, 2022', '2022-12-31T00:00:00'],
	['12:30 pm on 1 January, 2024', '2024-01-01T12:30:00'],
	['8 May 2023', null],
	['', null],
])('date %s', (date, iso) => {
	expect(isoOfSessionDate(date)).toBe(iso);
});

test('B503 a date that cannot be read leaves the time unknown', async () => {
	const talk = {
		speaker_a: 'A',
		speaker_b: 'B',
		session_1_date_time: 'soon',
		session_1: [{speaker: 'A', dia_id: 'D1:1', text: 'x'}],
	};
	const {conversations, kinds} = await importText(locomo, JSON.stringify([{sample_id: 's', conversation: talk}]));
	expect(conversations[0]?.messages[0]?.created_at).toBeNull();
	expect(kinds()).toEqual(['bad_time']);
});

test('evidence is split only when all of it are ids', () => {
	const warned: string[] = [];
	const ids = new Set(['D1:1', 'D2:2']);
	expect(resolveEvidence(['D1:1, D2:2', 'D1:1 see D2:2', ''], ids, kind => void warned.push(kind))).toEqual([
		'D1:1',
		'D2:2',
	]);
	expect(warned).toEqual(['evidence_malformed', 'evidence_malformed']);
});

const shared = locomoFile();
describe.skipIf(!shared)(`the shared file${shared ? '' : ' (skipped: not on this machine)'}`, () => {
	test('every session, turn, caption and question arrives', async () => {
		const {conversations, questions, warnings} = await importText(locomo, await readFile(shared ?? ''));
		const messages = conversations.flatMap(draft => draft.messages);
		expect([conversations.length, messages.length, questions.length]).toEqual([128, 2760, 999]);
		expect(messages.filter(({attachments}) => attachments.length > 0).length).toBe(602);
		expect(messages.every(({created_at}) => created_at !== null)).toBe(true);
		expect(warnings.map(({detail}) => detail).sort()).toEqual(['D', 'D10:19', 'D:11:26']);
	});
});
