/**
 * JSON text on one line, for formats of one record a line. Inside a JSON string a line break is always escaped, so every raw
 * one is white space between tokens and may become a space: not one character of meaning changes.
 */
export function oneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replace(/[\r\n]/g, ' ') : json;
}
