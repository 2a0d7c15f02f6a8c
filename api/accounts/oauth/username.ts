import { randomInt } from 'node:crypto';
import { isReservedName } from '../reserved-names.ts';

const MIN = 3;
const MAX = 32;
const SUFFIX_DIGITS = 4;

/**
 * Yields usernames to try for a new user, best first: the name at the provider, otherwise the local part of the
 * address; then the same with digits. Each has 3 to 32 letters, digits, `-` and `_`, and is not reserved.
 */
export function* usernameCandidates(login: string | undefined, email: string): Generator<string> {
  const base = fitting(login ?? '') ?? fitting(email.split('@', 1)[0] ?? '') ?? 'user';
  if (!isReservedName(base)) yield base;
  const stem = base.slice(0, MAX - SUFFIX_DIGITS - 1);
  // Random, not sequential: concurrent processes try different names, and the name does not reveal the number of users.
  for (let tries = 0; tries < 10; tries += 1)
    yield `${stem}-${randomInt(10 ** (SUFFIX_DIGITS - 1), 10 ** SUFFIX_DIGITS)}`;
  yield `user-${randomInt(2 ** 47).toString(36)}`;
}

function fitting(text: string): string | undefined {
  const name = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, MAX)
    .replace(/-+$/, '');
  return name.length < MIN ? undefined : name;
}
