/** Number of bytes at the beginning of a file from which its type is detected. */
export const SIGNATURE_BYTES = 4_100;

/**
 * Detects the type of a file from its content, never from its name. Plain text has no signature: it is UTF-8 without
 * control characters. HTML and scripts therefore count as plain text.
 */
export async function contentType(beginning: Uint8Array): Promise<string> {
  const known = await bySignature(beginning);
  if (known !== undefined) return known;
  return isPlainText(beginning) ? 'text/plain; charset=utf-8' : 'application/octet-stream';
}

async function bySignature(beginning: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type'); // loaded with the first file
  try {
    return (await fileTypeFromBuffer(beginning))?.mime;
  } catch {
    return undefined; // the content resembles a known type, but is truncated
  }
}

function isPlainText(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return false;
  for (const byte of bytes)
    if ((byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) || byte === 0x7f) return false;
  try {
    // The end may split a character, which `stream` permits.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: bytes.length === SIGNATURE_BYTES });
    return true;
  } catch {
    return false;
  }
}
