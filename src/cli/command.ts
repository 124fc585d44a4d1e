import {Command, Flags} from '@oclif/core';
import type {ServiceResult} from './result.js';

// Start-up path: only @oclif/core is imported here; everything else comes when a command runs.

/** Flags that every command has. */
export const baseFlags = {
	quiet: Flags.boolean({description: 'No progress and no notes on stderr', default: false}),
	offline: Flags.boolean({
		description: 'Any use of the network is an error',
		default: false,
		env: 'HINDCAST_OFFLINE',
	}),
	verbose: Flags.boolean({description: 'Show the stack of unexpected errors', default: false}),
};

/** The memory file. */
export const dbFlag = {
	db: Flags.string({
		description: 'The memory file',
		default: './hindcast.duckdb',
		env: 'HINDCAST_DB',
		helpValue: 'FILE',
	}),
};

/** Local models. */
export const modelFlags = {
	'model-dir': Flags.string({
		description: 'Folder of local models',
		env: 'HINDCAST_MODELS',
		helpValue: 'DIR',
	}),
};

/** A command parses flags, calls one service and shows what it returns. */
export abstract class HindcastCommand extends Command {
	static override enableJsonFlag = true;
	static override baseFlags = baseFlags;

	/** Runs a service; prints its text, or with --json the one object, and sets the exit code. */
	protected async show(command: string, service: () => Promise<ServiceResult>): Promise<unknown> {
		const started = performance.now();
		const {json, text, exit} = await service();
		const seconds = Math.round(performance.now() - started) / 1000;
		process.exitCode = exit;
		if (!this.jsonEnabled() && text !== '') this.log(text);
		return {ok: exit !== 4, command, run_id: null, seconds, ...(exit === 3 ? {partial: true} : {}), ...json};
	}

	/** Known errors are one line and a hint; unknown ones ask for a report. Never a stack unless --verbose. */
	override async catch(error: unknown): Promise<unknown> {
		const {describeError} = await import('./show-error.js');
		const described = describeError(error);
		if (described === null) throw error;
		process.exitCode = described.exit;
		if (this.jsonEnabled()) this.logJson({ok: false, error: described.error});
		else this.logToStderr(described.text(this.argv.includes('--verbose')));
		return undefined;
	}
}
