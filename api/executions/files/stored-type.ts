import { contentType, SIGNATURE_BYTES } from '#api/scrapers/uploads/content-type.ts';
import type { ByteSource } from './port.ts';

/** Formats of plain text that have no signature. HTML and SVG are not among them: what browsers would execute stays plain text. */
const TEXT_FORMATS =
  /^(?:text\/(?!html\b)[\w.+-]{1,60}|application\/(?:json|(?:x-)?ndjson|(?:x-)?javascript|typescript|(?:x-)?yaml|toml|sql|x-sh|[\w.-]{1,60}\+(?:json|yaml)))$/;

/**
 * The type under which a file is stored. Its content decides, as for `GET /api/uploads`: the type that the sender names is used only where the content is
 * plain text and the name is that of a text format.
 */
export async function storedType(beginning: Uint8Array, claimed: string): Promise<string> {
  const claim = claimed.split(';')[0]?.trim().toLowerCase() ?? '';
  const found = beginning.length === 0 ? 'text/plain' : await contentType(beginning);
  return found.startsWith('text/plain') && TEXT_FORMATS.test(claim) ? claim : found;
}

/** A source whose first bytes are kept while it is read. */
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
        // A copy: the source may reuse the buffer of a chunk.
        kept.push(Buffer.from(part));
        missing -= part.length;
      }
      yield chunk;
    }
  }
}
