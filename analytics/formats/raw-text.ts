const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns bytes as text if they are valid UTF-8, else as base64, with the name of the encoding. No byte is lost. */
export function rawText(bytes: Buffer): { readonly raw: string; readonly encoding: 'utf8' | 'base64' } {
  try {
    return { raw: utf8.decode(bytes), encoding: 'utf8' };
  } catch {
    return { raw: bytes.toString('base64'), encoding: 'base64' };
  }
}
