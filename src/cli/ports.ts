import type {Clock} from '../ports/clock.js';
import type {StagePorts} from '../ports/ports.js';
import {type Progress, silentProgress} from '../ports/progress.js';

/** The machine's clocks. */
export const systemClock: Clock = {
	now: () => Date.now() * 1000,
	monotonicMs: () => performance.now(),
};

/** Ports of a stage that runs in a terminal: bars on stderr, Ctrl-C after the unit at hand. */
export async function terminalPorts(flags: {readonly quiet: boolean}): Promise<StagePorts> {
	return {
		clock: systemClock,
		progress: flags.quiet ? silentProgress : await stderrProgress(),
		signal: interruptSignal(),
	};
}

/** Aborts at the first Ctrl-C; a second one ends the process at once. */
function interruptSignal(): AbortSignal {
	const controller = new AbortController();
	process.on('SIGINT', () => {
		if (controller.signal.aborted) process.exit(130);
		controller.abort();
	});
	return controller.signal;
}

async function stderrProgress(): Promise<Progress> {
	const note = (text: string) => void process.stderr.write(`${text}\n`);
	if (!process.stderr.isTTY) return {...silentProgress, note};
	const {SingleBar, Presets} = (await import('cli-progress')).default;
	let bar: InstanceType<typeof SingleBar> | null = null;
	return {
		start(label, total) {
			const format = total === null ? `${label} {value}` : `${label} {bar} {value}/{total} · {eta_formatted}`;
			bar = new SingleBar(
				{format, stream: process.stderr, clearOnComplete: true, hideCursor: true},
				Presets.shades_classic,
			);
			bar.start(total ?? 0, 0);
		},
		advance: (units = 1) => bar?.increment(units),
		stop: () => bar?.stop(),
		note,
	};
}
