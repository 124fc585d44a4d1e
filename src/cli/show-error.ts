import {errorKinds, HindcastError} from '../errors.js';

export interface DescribedError {
	readonly exit: number;
	readonly error: {readonly code: string; readonly message: string; readonly hint: string; readonly details?: unknown};
	text(verbose: boolean): string;
}

/** What to tell a person of an error; null for oclif's own way to end (help, version). */
export function describeError(error: unknown): DescribedError | null {
	if (error instanceof HindcastError) {
		const {code, message, hint, details, exit} = error;
		return described(exit, {code, message, hint, ...(details ? {details} : {})}, error);
	}
	if (/@duckdb\/node-bindings/.test(String((error as {message?: string}).message))) {
		const {hint, exit} = errorKinds.DUCKDB_MISSING;
		const message = 'The DuckDB binary of this platform is not installed.';
		return described(exit, {code: 'DUCKDB_MISSING', message, hint}, error);
	}
	const known = error as {oclif?: {exit?: number}; code?: string; message?: string};
	if (known.code === 'EEXIT') return null;
	if (known.oclif) {
		const message = (known.message ?? '').replace(/\nSee more help with --help$/u, '');
		return described(2, {code: 'BAD_USAGE', message, hint: 'See --help of the command.'}, error);
	}
	const message = known.message ?? String(error);
	const hint = 'This is a fault of hindcast. Please report it with the output of --verbose.';
	return described(1, {code: 'UNEXPECTED', message, hint}, error);
}

function described(exit: number, error: DescribedError['error'], cause: unknown): DescribedError {
	return {
		exit,
		error,
		text(verbose) {
			const stack = verbose && cause instanceof Error ? `\n${cause.stack}` : '';
			return `error ${error.code}: ${error.message}\n  ${error.hint}${stack}`;
		},
	};
}
