import type {Clock} from './clock.js';
import type {Progress} from './progress.js';

/** What every stage is given besides its stores and models. */
export interface StagePorts {
	readonly clock: Clock;
	readonly progress: Progress;
	/** Aborted on Ctrl-C: the stage ends after the unit at hand. */
	readonly signal: AbortSignal;
}

/** Whether the person asked to stop. */
export const isStopped = (ports: Pick<StagePorts, 'signal'>): boolean => ports.signal.aborted;
