/** All characters that some readers treat as the end of a line. */
const LINE_BREAKS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
/** The remaining control characters, including NUL, for which CEF has no escape. */
const CONTROLS = /\p{Cc}/gu;

/** Escapes a header field: `\` and `|` are escaped. Line breaks, which a header cannot contain, become a space. */
export function cefHeader(value: string): string {
  return value.toWellFormed().replace(/[\\|]/g, '\\$&').replace(LINE_BREAKS, ' ').replace(CONTROLS, '\ufffd');
}

/**
 * Escapes an extension value: `\` and `=` are escaped, and line breaks become `\n`. Other control characters become
 * U+FFFD, which shows that a character was there.
 */
export function cefValue(value: string): string {
  return value.toWellFormed().replace(/[\\=]/g, '\\$&').replace(LINE_BREAKS, '\\n').replace(CONTROLS, '\ufffd');
}
