/** Decodes percent-encoding (RFC 3986). Returns the text unchanged if it is malformed. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
