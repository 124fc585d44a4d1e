// Builds dist/ and the command manifest: with it `hindcast --help` reads one JSON file and imports no command.
import {execFileSync} from 'node:child_process';
import {rmSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(`${root}dist`, {recursive: true, force: true});
rmSync(`${root}oclif.manifest.json`, {force: true});
try {
	execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}tsconfig.build.json`], {
		stdio: 'inherit',
	});
} catch {
	process.exit(1);
}
const {Config, Plugin} = await import('@oclif/core');
const config = await Config.load({root, devPlugins: false, userPlugins: false});
const plugin = new Plugin({root, type: 'core', ignoreManifest: true});
plugin.config = config;
await plugin.load();
writeFileSync(`${root}oclif.manifest.json`, `${JSON.stringify(plugin.manifest, null, '\t')}\n`);
