/**
 * Returns JSON text on one line, for formats with one record per line. JSON strings contain no raw line breaks, so each
 * raw line break is white space between tokens. Replacing it by a space keeps the meaning.
 */
export function oneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replace(/[\r\n]/g, ' ') : json;
}
