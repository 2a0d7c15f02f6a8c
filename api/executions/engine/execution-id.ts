import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

/**
 * `exec_` and 26 characters: 10 of milliseconds, 16 at random (80 bits). Ids of one time lie together in the index, so that a million old ones
 * don't slow the new ones down. Visibility of an execution is decided by its owner, never by knowing the id.
 */
export function newExecutionId(now: number = Date.now()): string {
  let time = '';
  for (let left = now; time.length < TIME_DIGITS; left = Math.floor(left / 32)) time = ALPHABET[left % 32] + time;
  let random = '';
  for (const byte of randomBytes(RANDOM_DIGITS)) random += ALPHABET[byte % 32];
  return `exec_${time}${random}`;
}
