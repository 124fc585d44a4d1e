/** What the first bytes of a file say that it is. */
export type ContentKind = 'zip' | 'document' | 'media' | 'archive' | 'empty' | 'other';

/** Bytes that `kindOfContent` wants to see. */
export const MAGIC_BYTES = 512;

/** First bytes in Latin-1, and what they begin. */
const MAGIC: readonly (readonly [RegExp, ContentKind])[] = [
	// Office files, e-books and Java archives are zips by trade, never a place for chats.
	[/^PK\x03\x04.{26}(\[Content_Types\]\.xml|mimetype|META-INF\/)/s, 'document'],
	[/^PK(\x03\x04|\x05\x06)/s, 'zip'],
	[/^(\x89PNG|\xff\xd8\xff|GIF8[79]a|BM.{4}\0\0\0\0|II\*\0|MM\0\*|RIFF.{4}(WEBP|WAVE|AVI ))/s, 'media'],
	[/^(.{4}ftyp|ID3|OggS|fLaC|\x1aE\xdf\xa3|\xff[\xf1\xf9\xfb\xf3\xf2]|FORM.{4}AIF|\0\0\x01[\xba\xb3])/s, 'media'],
	[/^(%PDF-|wOFF|wOF2|\0asm|\x7fELF|SQLite format 3\0)/s, 'document'],
	[/^(\x1f\x8b|7z\xbc\xaf'\x1c|Rar!\x1a\x07|\x28\xb5\x2f\xfd|\xfd7zXZ\0|BZh[1-9]1AY&SY|.{257}ustar)/s, 'archive'],
];

/** Tells media and archives from what may be text, by content and never by name. */
export function kindOfContent(head: Uint8Array): ContentKind {
	if (head.length === 0) return 'empty';
	const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, MAGIC_BYTES)).toString('latin1');
	return MAGIC.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
}

/** The first bytes of a stream; the stream is closed after that. */
export async function headBytes(source: AsyncIterable<Uint8Array>, size: number = MAGIC_BYTES): Promise<Uint8Array> {
	const parts: Uint8Array[] = [];
	let seen = 0;
	for await (const chunk of source) {
		parts.push(chunk.slice(0, size - seen));
		seen += chunk.length;
		if (seen >= size) break;
	}
	return Buffer.concat(parts);
}
