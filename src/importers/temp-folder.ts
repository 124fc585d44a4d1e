import {rmSync} from 'node:fs';
import {mkdtemp, open, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** A private folder for what must be on disk to be read twice. Made at the first use, removed with all it holds. */
export class TempFolder {
	readonly #root: string;
	#path: string | null = null;
	#count = 0;
	/** A process that ends in the middle must not leave chats behind. */
	readonly #onExit = (): void => {
		if (this.#path) rmSync(this.#path, {recursive: true, force: true});
	};

	constructor(root: string = tmpdir()) {
		this.#root = root;
	}

	/**
	 * Writes a stream to a new file of mode 0600.
	 * @returns its path and size, or null when the stream is longer than `maxBytes`; nothing of it is kept then
	 */
	async spool(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<{path: string; bytes: number} | null> {
		const path = await this.#newPath();
		const handle = await open(path, 'wx', 0o600);
		let bytes = 0;
		try {
			for await (const chunk of source) {
				bytes += chunk.length;
				if (bytes > maxBytes) break;
				await handle.writeFile(chunk);
			}
		} finally {
			await handle.close();
		}
		if (bytes <= maxBytes) return {path, bytes};
		await rm(path, {force: true});
		return null;
	}

	/** Removes the folder. */
	async remove(): Promise<void> {
		process.off('exit', this.#onExit);
		const path = this.#path;
		this.#path = null;
		if (path) await rm(path, {recursive: true, force: true});
	}

	async #newPath(): Promise<string> {
		if (!this.#path) {
			this.#path = await mkdtemp(join(this.#root, 'hindcast-import-'));
			process.on('exit', this.#onExit);
		}
		this.#count += 1;
		return join(this.#path, String(this.#count));
	}
}
