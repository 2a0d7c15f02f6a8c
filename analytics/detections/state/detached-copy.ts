import { hash } from 'node:crypto';

/** JSON.parse interns strings up to this length, so V8 compares two of them by pointer. */
const SHARED_LENGTH = 10;

/**
 * Returns a copy of a string that is safe to store: not a slice that retains its parent, and at most `limit`
 * characters. A longer string becomes its beginning and a hash of the whole, so that different strings stay different.
 */
export function detachedCopy(text: string, limit: number): string {
  if (text.length <= Math.min(limit, SHARED_LENGTH)) return JSON.parse(JSON.stringify(text)) as string;
  if (text.length <= limit) return copyOf(text);
  const digest = hash('sha256', Buffer.from(text, 'utf16le'), 'hex').slice(0, 16);
  return copyOf(`${text.slice(0, limit - 17)}~${digest}`);
}

/**
 * Copies with one byte per character where possible, like the strings it is compared with. A comparison with a two-byte
 * string is many times slower.
 */
function copyOf(text: string): string {
  const narrow = Buffer.from(text, 'latin1').toString('latin1');
  return narrow === text ? narrow : Buffer.from(text, 'utf16le').toString('utf16le');
}

/** Returns the key under which a name is looked up: the name, or its shortened form if it is too long. */
export function boundedKey(text: string, limit: number): string {
  return text.length <= limit ? text : detachedCopy(text, limit);
}
