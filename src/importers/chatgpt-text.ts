/** What is left of a text without the marks of its citations. */
export interface Stripped {
	readonly text: string;
	/** Marks that were taken out. */
	readonly marks: number;
}

/** A mark with its content: opened by U+E200, its fields set apart by U+E202, closed by U+E201. */
const GROUP = /\uE200([^\uE200\uE201]*)\uE201/g;
/** A reference that stands alone, without a group around it. */
const LONE_REFERENCE = /\uE202turn\d+[a-z]+\d+/g;
/** Marks around words that are cited (U+E203, U+E204), and what is left of broken ones. */
const LONE_MARK = /[\uE200-\uE206]/g;
/** The same marks in texts from which a tool has dropped the private-use characters. */
const BARE_CITATION = /(?:file|nav)?cite(?:turn\d+[a-z]+\d+)+/g;
/** Citations of 2023 and 2024: `【1†source】`, `【4:0†notes.pdf】`. */
const BRACKETS = /【\d+(?::\d+)?†[^】\n]*】/g;

/** Takes the marks of citations out of a text; words that they wrap or carry for a reader stay. */
export function stripMarks(text: string): Stripped {
	let marks = 0;
	const take = (words: string): string => {
		marks += 1;
		return words;
	};
	const stripped = text
		.replace(GROUP, (_all, content: string) => take(wordsOf(content)))
		.replace(LONE_REFERENCE, () => take(''))
		.replace(LONE_MARK, () => take(''))
		.replace(BARE_CITATION, () => take(''))
		.replace(BRACKETS, () => take(''));
	return {text: stripped, marks};
}

/** Takes only whole groups out: for texts of a person, in which everything else may be meant. */
export function stripGroups(text: string): Stripped {
	let marks = 0;
	const stripped = text.replace(GROUP, (_all, content: string) => {
		marks += 1;
		return wordsOf(content);
	});
	return {text: stripped, marks};
}

/** What a reader sees of a group: the name of an entity, the title of a link; nothing of a citation, list or picture. */
function wordsOf(content: string): string {
	const [kind = '', first = ''] = content.split('\uE202');
	if (kind === 'url' || kind === 'link_title') return first;
	if (kind !== 'entity') return '';
	try {
		const entity: unknown = JSON.parse(first);
		const name: unknown = Array.isArray(entity) ? entity[1] : null;
		return typeof name === 'string' ? name : '';
	} catch {
		return first;
	}
}
