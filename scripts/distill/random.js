// A seeded source of numbers: the same seed gives the same sentences and the same order of training everywhere.

/** @returns {() => number} mulberry32, numbers in [0, 1) */
export function randomFrom(seed) {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
}

/** @returns {Int32Array} 0..n-1 in random order (Fisher and Yates) */
export function shuffled(n, random) {
	const order = Int32Array.from({length: n}, (_, i) => i);
	for (let i = n - 1; i > 0; i--) {
		const j = Math.floor(random() * (i + 1));
		[order[i], order[j]] = [order[j], order[i]];
	}
	return order;
}
