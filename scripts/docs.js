// Writes the reference pages that follow from the code: docs/schema.md, docs/cli.md, docs/arms.md.
// `npm run docs` rewrites them; with --check it only tells what differs (a test does that).
import {readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {armsPage, cliPage, schemaPage} from '../dist/src/docs/pages.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = {
	'docs/schema.md': await schemaPage(),
	'docs/cli.md': await cliPage(),
	'docs/arms.md': await armsPage(),
};
let stale = 0;
for (const [path, text] of Object.entries(pages)) {
	let before = '';
	try {
		before = readFileSync(root + path, 'utf8');
	} catch {}
	if (before === text) continue;
	stale++;
	if (process.argv.includes('--check')) console.error(`${path} is not what the code says; run: npm run docs`);
	else writeFileSync(root + path, text);
}
process.exit(process.argv.includes('--check') && stale > 0 ? 1 : 0);
