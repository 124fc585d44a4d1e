import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {cliJson, tempFolder} from '../helpers/cli.js';
import {benchSet} from '../helpers/shared.js';

/** A set of our own: two people, one of whom keeps a bakery. */
function writeSet(folder: string): void {
	const said = [
		['2026-01-01', 'Ada', 'I opened a small bakery on Mill Street last spring.'],
		['2026-01-01', 'Ben', 'Lovely! What do you bake?'],
		['2026-01-02', 'Ada', 'Mostly rye bread, and cinnamon buns on Fridays.'],
		['2026-01-03', 'Ben', 'My sister Carla moved to Lisbon to study marine biology.'],
		['2026-01-04', 'Ada', '我最近在学游泳，教练说我换气太快。'],
	] as const;
	const messages = said.map(([day, speaker, text], i) => ({
		conversation_id: 'bakery',
		session_id: `bakery:${day}`,
		message_id: `bakery:${i}`,
		role: speaker === 'Ada' ? 'user' : 'assistant',
		speaker,
		text,
		created_at: `${day}T10:0${i}:00Z`,
	}));
	const ask = (text: string, evidence: string[], answerable = true) => ({
		query_id: `q:${text}`,
		conversation_id: 'bakery',
		text,
		asked_at: '2026-01-05T00:00:00Z',
		evidence_message_ids: evidence,
		category: answerable ? 'fact' : 'none',
		answer: '',
		answerable,
	});
	const queries = [
		ask('What bread does Ada bake in her bakery?', ['bakery:2']),
		ask('Where does Carla study marine biology?', ['bakery:3']),
		ask('谁在学游泳？', ['bakery:4']),
		ask('What is the name of the dog?', [], false),
	];
	const lines = (rows: readonly object[]) => `${rows.map(row => JSON.stringify(row)).join('\n')}\n`;
	writeFileSync(join(folder, 'conversations.jsonl'), lines(messages));
	writeFileSync(join(folder, 'queries.jsonl'), lines(queries));
}

test('bench recall gives a row a set and system, with folds, categories, budgets and an interval', async () => {
	using folder = tempFolder();
	writeSet(folder.path);
	const args = [
		'bench',
		'recall',
		'--sets',
		folder.path,
		'--embedder',
		'static',
		'--arm',
		'seed',
		'--arm',
		'hybrid',
		'--cache',
		'vectors',
	];
	const {json, exit} = await cliJson(args, {cwd: folder.path});
	expect(exit).toBe(0);
	expect(json.rows.map((row: {arm: string}) => row.arm)).toEqual(['seed', 'hybrid', 'bm25', 'bm25+context', 'vector']);
	const hybrid = json.rows[1];
	expect(hybrid).toMatchObject({
		embedder: 'static',
		queries: 3,
		recall: {'5': 1, '20': 1, pool: 1},
		budget: {'1000': 1, '4000': 1, '16000': 1},
		unanswerable: {questions: 1},
	});
	expect(hybrid.mrr).toBeGreaterThan(0.6);
	expect(Object.values<{queries: number}>(hybrid.by.category).map(row => row.queries)).toEqual([3]);
	expect(hybrid.ci95).toHaveLength(2);
	expect((await cliJson(args, {cwd: folder.path})).json.rows).toEqual(json.rows);
	expect((await cliJson(['bench', 'recall', '--sets', 'nowhere'], {cwd: folder.path})).json.error.code).toBe(
		'PATH_MISSING',
	);
});

test.skipIf(benchSet('madial-zh') === null)(
	'hybrid beats BM25 and the seed arm on madial-zh with the static embedder',
	async () => {
		using folder = tempFolder();
		const {json} = await cliJson(
			['bench', 'recall', '--sets', benchSet('madial-zh')!, '--embedder', 'static', '--arm', 'hybrid'],
			{cwd: folder.path},
		);
		const at20 = Object.fromEntries(
			json.rows.map((row: {arm: string; recall: Record<string, number>}) => [row.arm, row.recall['20']]),
		);
		expect(at20.hybrid).toBeGreaterThan(0.68);
		expect(at20.hybrid).toBeGreaterThan(at20.bm25!);
	},
);
