import { contentType, SIGNATURE_BYTES } from '#api/scrapers/uploads/content-type.ts';
import type { ByteSource } from './port.ts';

/**
 * Text formats without a signature. HTML and SVG are excluded: content that browsers could execute is stored as plain
 * text.
 */
const TEXT_FORMATS =
  /^(?:text\/(?!html\b)[\w.+-]{1,60}|application\/(?:json|(?:x-)?ndjson|(?:x-)?javascript|typescript|(?:x-)?yaml|toml|sql|x-sh|[\w.-]{1,60}\+(?:json|yaml)))$/;

/**
 * Returns the content type to store a file under. The content decides, as for `GET /api/uploads`. The type declared by
 * the sender is used only if the content is plain text and the type is a text format.
 */
export async function storedType(beginning: Uint8Array, claimed: string): Promise<string> {
  const claim = claimed.split(';')[0]?.trim().toLowerCase() ?? '';
  const found = beginning.length === 0 ? 'text/plain' : await contentType(beginning);
  return found.startsWith('text/plain') && TEXT_FORMATS.test(claim) ? claim : found;
}

/** Wraps a source and keeps its first bytes. */
export function keepBeginning(source: ByteSource): { readonly source: ByteSource; beginning(): Uint8Array } {
  const kept: Uint8Array[] = [];
  let missing = SIGNATURE_BYTES;
  return {
    source: pass(),
    beginning: () => Buffer.concat(kept),
  };

  async function* pass(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      if (missing > 0) {
        const part = chunk.subarray(0, missing);
        // Copied because the source may reuse the buffer of a chunk.
        kept.push(Buffer.from(part));
        missing -= part.length;
      }
      yield chunk;
    }
  }
}
