/** Text that is safe inside HTML elements and quoted attributes. */
export const escapeHtml = (text: string): string =>
	text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

/** Control, escape and direction characters of chat text are shown, not obeyed. Line breaks and tabs stay. */
export const visibleControls = (text: string): string =>
	text
		.replaceAll('\r\n', '\n')
		.replace(
			/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu,
			character => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
		);

/** Chat text for HTML: escaped, with its control characters shown. */
export const chatHtml = (text: string): string => escapeHtml(visibleControls(text));

/** The language of chat text as an attribute, for fonts and line breaks; empty when it is not Chinese. */
export const langAttribute = (text: string): string =>
	/\p{Script=Han}/u.test(text) && !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? ' lang="zh-Hans"' : '';
