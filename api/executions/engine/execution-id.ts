import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

/**
 * Returns an id: `exec_` and 26 characters, 10 for the time in milliseconds and 16 random (80 bits). Ids with close
 * times are adjacent in the index, so a million old rows do not slow down new ones. The owner of an execution decides
 * who can see it; knowing the id gives no access.
 */
export function newExecutionId(now: number = Date.now()): string {
  let time = '';
  for (let left = now; time.length < TIME_DIGITS; left = Math.floor(left / 32)) time = ALPHABET[left % 32] + time;
  let random = '';
  for (const byte of randomBytes(RANDOM_DIGITS)) random += ALPHABET[byte % 32];
  return `exec_${time}${random}`;
}
