/** The text without percent-encoding (RFC 3986); as it is when it is not encoded correctly. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
