/** All that some reader of lines takes for the end of one. */
const LINE_BREAKS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
/** Control characters that are left, NUL among them: no CEF escape exists for them. */
const CONTROLS = /\p{Cc}/gu;

/** A header field: `\` and `|` escaped; a line break, which the header cannot carry, becomes a space. */
export function cefHeader(value: string): string {
  return value.toWellFormed().replace(/[\\|]/g, '\\$&').replace(LINE_BREAKS, ' ').replace(CONTROLS, '\ufffd');
}

/** An extension value: `\` and `=` escaped, line breaks written `\n`; other control characters become U+FFFD, so that it shows something was there. */
export function cefValue(value: string): string {
  return value.toWellFormed().replace(/[\\=]/g, '\\$&').replace(LINE_BREAKS, '\\n').replace(CONTROLS, '\ufffd');
}
