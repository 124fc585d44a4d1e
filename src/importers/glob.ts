/** A path pattern: where to walk, and which paths below it are meant. */
export interface Glob {
	/** The folder before the first segment with a wildcard. */
	readonly root: string;
	/** Whether a path relative to the root is meant, itself or because it lies in a folder that is. */
	matches(relative: string): boolean;
	/** Whether hidden files are meant, because the pattern names a dot. */
	readonly hidden: boolean;
}

/** Whether a path has a wildcard: `*`, `**` or `?`. */
export const isGlob = (path: string): boolean => /[*?]/.test(path);

/** Compiles a pattern: `*` any characters of one segment, `?` one of them, `**` any number of segments. */
export function parseGlob(pattern: string): Glob {
	const segments = pattern.replaceAll('\\', '/').split('/');
	const first = segments.findIndex(isGlob);
	const fixed = segments.slice(0, first).join('/');
	const root = first === 0 ? '.' : fixed === '' ? '/' : fixed;
	const wild = segments.slice(first);
	// What follows the match may only be a deeper path: a folder that matches brings its content.
	const expression = new RegExp(`^${wild.map(segmentPattern).join('').replace(/\/$/, '')}(?:/|$)`, 'u');
	return {root, matches: relative => expression.test(relative), hidden: wild.some(segment => segment.startsWith('.'))};
}

function segmentPattern(segment: string, index: number, all: readonly string[]): string {
	const isLast = index === all.length - 1;
	if (segment === '**') return isLast ? '.+' : '(?:[^/]+/)*';
	const body = [...segment]
		.map(char => (char === '*' ? '[^/]*' : char === '?' ? '[^/]' : char.replace(/[\\^$.+()[\]{}|/]/, '\\$&')))
		.join('');
	return isLast ? body : `${body}/`;
}
