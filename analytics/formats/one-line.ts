/**
 * JSON text as one line. A raw line break in valid JSON can only stand between tokens (inside a string it would be escaped), so
 * a space in its place changes nothing of what the text says; every other byte stays as it came.
 */
export function oneLine(raw: string | Buffer): string {
  const text = typeof raw === 'string' ? raw : raw.toString('utf8');
  return /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, ' ') : text;
}
