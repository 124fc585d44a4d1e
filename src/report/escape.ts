/** Text that is safe inside HTML elements and quoted attributes. */
export const escapeHtml = (text: string): string =>
	text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

/** Control, escape and direction characters of chat text are shown, not obeyed. Line breaks and tabs stay. */
export const visibleControls = (text: string): string =>
	text.replace(
		/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
		character => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
	);
