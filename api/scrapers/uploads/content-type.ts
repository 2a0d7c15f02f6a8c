/** Bytes from the beginning of a file that its type is read from. */
export const SIGNATURE_BYTES = 4_100;

/**
 * The type of a file by what it begins with, never by its name. Plain text has no signature: it is what is UTF-8 without control characters.
 * HTML and scripts are plain text by that, and stay it.
 */
export async function contentType(beginning: Uint8Array): Promise<string> {
  const known = await bySignature(beginning);
  if (known !== undefined) return known;
  return isPlainText(beginning) ? 'text/plain; charset=utf-8' : 'application/octet-stream';
}

async function bySignature(beginning: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type'); // read in with the first file
  try {
    return (await fileTypeFromBuffer(beginning))?.mime;
  } catch {
    return undefined; // it looks like a known type, and breaks off
  }
}

function isPlainText(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return false;
  for (const byte of bytes)
    if ((byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) || byte === 0x7f) return false;
  try {
    // A character may be cut off at the end of what was read: `stream` lets that pass.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: bytes.length === SIGNATURE_BYTES });
    return true;
  } catch {
    return false;
  }
}
