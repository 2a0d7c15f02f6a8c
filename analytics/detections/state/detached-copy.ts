import { hash } from 'node:crypto';

/** Texts up to this long in parsed JSON are the same object wherever they occur, so that two of them are compared without reading them. */
const SHARED_LENGTH = 10;

/**
 * A string that is safe to keep: no slice that holds its parent in memory, and never longer than `limit`. A longer one keeps
 * its beginning and a hash of the whole, so that two different ones stay different.
 */
export function detachedCopy(text: string, limit: number): string {
  if (text.length <= Math.min(limit, SHARED_LENGTH)) return JSON.parse(JSON.stringify(text)) as string;
  if (text.length <= limit) return copyOf(text);
  const digest = hash('sha256', Buffer.from(text, 'utf16le'), 'hex').slice(0, 16);
  return copyOf(`${text.slice(0, limit - 17)}~${digest}`);
}

/** In one byte a character where that is possible, as in the texts it is compared with: comparing one with two bytes takes many times longer. */
function copyOf(text: string): string {
  const narrow = Buffer.from(text, 'latin1').toString('latin1');
  return narrow === text ? narrow : Buffer.from(text, 'utf16le').toString('utf16le');
}

/** The key under which a name is looked up: itself, or its short form when it is too long to keep. */
export function boundedKey(text: string, limit: number): string {
  return text.length <= limit ? text : detachedCopy(text, limit);
}
