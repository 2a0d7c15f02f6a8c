const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes as text where they are text, else as base64; the result names which. Either way no byte is lost. */
export function rawText(bytes: Buffer): { readonly raw: string; readonly encoding: 'utf8' | 'base64' } {
  try {
    return { raw: utf8.decode(bytes), encoding: 'utf8' };
  } catch {
    return { raw: bytes.toString('base64'), encoding: 'base64' };
  }
}
