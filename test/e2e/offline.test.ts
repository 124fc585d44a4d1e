import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {cli, SAMPLE, tempFolder} from '../helpers/cli.js';

test('the whole path runs with the network cut: whoever opens a connection ends the process', async () => {
	using folder = tempFolder();
	const hook = join(folder.path, 'no-network.mjs');
	writeFileSync(
		hook,
		`import net from 'node:net'; import dns from 'node:dns'; import dgram from 'node:dgram';
const refuse = what => (...given) => { process.stderr.write('network used: ' + what + ' ' + String(JSON.stringify(given)).slice(0, 200) + '\\n'); process.exit(99); };
net.Socket.prototype.connect = refuse('connect');
dns.lookup = refuse('lookup'); dns.promises.lookup = refuse('lookup'); dgram.createSocket = refuse('dgram');
globalThis.fetch = refuse('fetch');`,
	);
	const at = {cwd: folder.path, env: {NODE_OPTIONS: `--import ${hook}`, HINDCAST_OFFLINE: '', HOME: folder.path}};
	for (const args of [
		['import', SAMPLE],
		['extract'],
		['aggregate'],
		['index'],
		['replay', '--arm', 'seed', '--arm', 'hybrid', '--embedder', 'static'],
		['recall', '今晚喝什么'],
		['db', 'check'],
		['models', 'list'],
	]) {
		const {exit, stderr} = await cli(args, at);
		expect(stderr).not.toContain('network used');
		expect([args[0], exit]).toEqual([args[0], 0]);
	}
	// The trap itself works: a fetch is seen.
	expect(await cli(['models', 'fetch', 'all-minilm-l6-v2'], at)).toMatchObject({exit: 99});
});
