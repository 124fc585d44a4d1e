/** JSON with object keys in code-unit order and no white space: equal values give equal bytes. Undefined members are left out. */
export function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(item => canonicalJson(item === undefined ? null : item)).join(',')}]`;
	if (value !== null && typeof value === 'object') {
		const record = value as Record<string, unknown>;
		const members = Object.keys(record)
			.filter(key => record[key] !== undefined)
			.sort()
			.map(key => `${JSON.stringify(key)}:${canonicalJson(record[key])}`);
		return `{${members.join(',')}}`;
	}
	return JSON.stringify(value) ?? 'null';
}

/** Three-way comparison by UTF-16 code units: the same on every machine and locale. */
export const compareStrings = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
