import {cpSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, expect, test} from 'vitest';
import {Database} from '../../src/store/duckdb.js';
import {cliJson, runPipeline, tempFolder} from '../helpers/cli.js';

const clean = tempFolder();
beforeAll(() => runPipeline({cwd: clean.path}));

/** Plants a fault in a copy of the clean file. @returns the kinds that the check found */
async function kindsAfter(sql: string): Promise<string[]> {
	using folder = tempFolder();
	const file = join(folder.path, 'hindcast.duckdb');
	cpSync(join(clean.path, 'hindcast.duckdb'), file);
	const db = await Database.open(file);
	await db.script(sql);
	db.close();
	const {exit, json} = await cliJson(['db', 'check'], {cwd: folder.path});
	expect(json.ok).toBe(exit === 0);
	expect(exit).toBe(json.findings.length === 0 ? 0 : 4);
	return [...new Set<string>(json.findings.map((finding: {kind: string}) => finding.kind))].sort();
}

const DELIVERABLE =
	'(SELECT beat_id FROM beats JOIN cards USING (card_id) WHERE batch_id IS NOT NULL ORDER BY beat_id LIMIT 1)';
const SEEN = '(SELECT candidate_id FROM exposure_candidates ORDER BY candidate_id LIMIT 1)';

test('nothing is found in an untouched file', async () => {
	expect(await kindsAfter('SELECT 1')).toEqual([]);
});

test('a changed quote is found', async () => {
	expect(await kindsAfter(`UPDATE beats SET quote = quote || '了' WHERE beat_id = ${DELIVERABLE}`)).toContain(
		'quote_differs',
	);
});

test('a changed message is found', async () => {
	const changed =
		"UPDATE messages SET text = '改过的' WHERE message_id = (SELECT message_id FROM beats ORDER BY beat_id LIMIT 1)";
	expect(await kindsAfter(changed)).toContain('quote_differs');
});

test('a lost beat is found', async () => {
	expect(await kindsAfter(`DELETE FROM beats WHERE beat_id = ${DELIVERABLE}`)).toContain('beat_lost');
});

test('an added beat is found', async () => {
	const added = `INSERT INTO beats SELECT * REPLACE ('b_planted' AS beat_id, 99 AS ordinal) FROM beats WHERE beat_id = ${DELIVERABLE}`;
	expect(await kindsAfter(added)).toEqual(['beat_added']);
});

test('a moved span is found', async () => {
	const moved = `UPDATE beats SET char_start = char_start + 1, char_end = char_end + 1 WHERE beat_id = ${DELIVERABLE}`;
	expect(await kindsAfter(moved)).toContain('quote_differs');
});

test('a leak is found: a card that was written later than the cutoff', async () => {
	const later = `UPDATE cards SET seen_until = seen_until + INTERVAL 400 DAY WHERE card_id = ${SEEN}`;
	expect(await kindsAfter(later)).toContain('leak');
});

test('a leak is found: a cutoff moved before what was seen', async () => {
	expect(await kindsAfter('UPDATE exposures SET cutoff = cutoff - INTERVAL 400 DAY')).toEqual(['leak']);
});

test('a leak is found: a candidate from the future planted among the others', async () => {
	const planted = `INSERT INTO exposure_candidates
		SELECT e.exposure_id, c.card_id, 'q1_m2', 'card', 99, 0.9, 99 FROM exposures e, cards c
		WHERE e.exposure_id = (SELECT exposure_id FROM exposures ORDER BY cutoff, exposure_id LIMIT 1)
		AND c.card_id = (SELECT card_id FROM cards ORDER BY seen_until DESC, card_id LIMIT 1)`;
	expect(await kindsAfter(planted)).toContain('leak');
});

test('a sight that was made smaller than it was is found', async () => {
	const smaller = `UPDATE cards SET seen_until = seen_until - INTERVAL 1 HOUR WHERE card_id = ${SEEN}`;
	expect(await kindsAfter(smaller)).toContain('seen_until_differs');
});

test('a card without its window is found', async () => {
	expect(
		await kindsAfter('DELETE FROM windows WHERE window_id = (SELECT window_id FROM windows ORDER BY 1 LIMIT 1)'),
	).toContain('dangling_reference');
});
