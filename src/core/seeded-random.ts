import seedrandom from 'seedrandom';

/** A stream of numbers in [0, 1) from a seed text (ARC4 of seedrandom 3), with named streams of its own. */
export function seededRandom(seed: string): {next(): number; fork(label: string): ReturnType<typeof seededRandom>} {
	const draw = seedrandom(seed);
	return {next: () => draw(), fork: label => seededRandom(`${seed}/${label}`)};
}
