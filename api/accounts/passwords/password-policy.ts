import { readFileSync } from 'node:fs';

/** Why a password is rejected. Undefined if it is accepted. */
export type PasswordWeakness = 'common' | 'repeated' | 'sequence' | 'contains-name';

export const WEAKNESS_TEXTS: Readonly<Record<PasswordWeakness, string>> = {
  common: 'is a commonly used password',
  repeated: 'repeats itself',
  sequence: 'is a sequence',
  'contains-name': 'contains the user name or the e-mail address',
};

export interface PasswordOwner {
  readonly username?: string;
  readonly email?: string;
}

const read = (file: string) =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split(/\s+/)
    .filter(Boolean);
const PASSWORDS = new Set(read('./common-passwords.txt'));
const SHORTEST_WORD = 3;
/** Parts of which most common long passwords consist: words, names, keyboard sequences, rows of digits. */
const WORDS = new Set(read('./common-words.txt'));
/** Words by their first three characters, so that most positions of a text need no comparison. */
const WORDS_BY_START = Map.groupBy(WORDS, (word) => word.slice(0, SHORTEST_WORD));
const YEAR = /^(?:19|20)\d\d/;
const DIGITS = /^\d+$/;

/** Common letter substitutions. Each map is tried as a whole. */
const DISGUISES: readonly Readonly<Record<string, string>>[] = [
  {},
  { '@': 'a', '4': 'a', '0': 'o', '1': 'i', '!': 'i', '3': 'e', '5': 's', $: 's', '7': 't', '8': 'b', '9': 'g' },
  { '@': 'a', '4': 'a', '0': 'o', '1': 'l', '!': 'l', '3': 'e', '5': 's', $: 's', '7': 't', '8': 'b', '9': 'g' },
];

/** A password of two known words with up to this many other characters is among the first that attackers try. */
const OWN_CHARACTERS = 4;
const SHORTEST_NAME = 4;

/**
 * Detects passwords that attackers try first. The length (at least 12 characters) must be checked before. It uses a
 * list of common passwords, and their typical structure: one or two words, a year, a few characters before or after,
 * substituted letters.
 */
export function weaknessOf(password: string, owner: PasswordOwner = {}): PasswordWeakness | undefined {
  const lower = password.normalize('NFKC').toLowerCase();
  const dense = lower.replace(/[\s._-]+/g, '');
  if (PASSWORDS.has(lower) || PASSWORDS.has(dense)) return 'common';
  if (isRepeated(dense)) return 'repeated';
  if (isSequence(dense)) return 'sequence';
  const names = [owner.username, owner.email?.split('@', 1)[0], owner.email];
  if (names.some((name) => name !== undefined && name.length >= SHORTEST_NAME && lower.includes(name.toLowerCase())))
    return 'contains-name';
  return DISGUISES.some((disguise) => ownCharacters(undisguised(dense, disguise)) <= OWN_CHARACTERS)
    ? 'common'
    : undefined;
}

/** True for few distinct characters, or a piece that is repeated three times or more. */
function isRepeated(text: string): boolean {
  if (new Set(text).size <= 4) return true;
  for (let period = 1; period <= text.length / 3; period += 1) {
    if ([...text].every((character, at) => at < period || character === text[at - period])) return true;
  }
  return false;
}

/** True if nearly every character follows or precedes the previous one in the alphabet or among the digits. */
function isSequence(text: string): boolean {
  let steps = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (Math.abs(text.charCodeAt(at) - text.charCodeAt(at - 1)) === 1) steps += 1;
  }
  return steps >= (text.length - 1) * 0.8;
}

function undisguised(text: string, disguise: Readonly<Record<string, string>>): string {
  return [...text].map((character) => disguise[character] ?? character).join('');
}

/**
 * Returns the minimum number of characters that belong neither to one of at most two known words nor to a known row of
 * digits or a year.
 */
function ownCharacters(text: string): number {
  // best[used][at]: minimum number of such characters in the first `at` characters, with `used` words.
  const best = [0, 1, 2].map(() => new Array<number>(text.length + 1).fill(Number.POSITIVE_INFINITY));
  const [none = []] = best;
  none[0] = 0;
  const improve = (used: number, at: number, own: number) => {
    const row = best[used];
    if (row !== undefined && own < (row[at] as number)) row[at] = own;
  };
  for (let at = 0; at < text.length; at += 1) {
    const words = (WORDS_BY_START.get(text.slice(at, at + SHORTEST_WORD)) ?? []).filter((word) =>
      text.startsWith(word, at),
    );
    const isYear = YEAR.test(text.slice(at, at + 4));
    for (let used = 0; used < best.length; used += 1) {
      const own = best[used]?.[at] as number;
      improve(used, at + 1, own + 1);
      if (isYear) improve(used, at + 4, own);
      for (const word of words) improve(DIGITS.test(word) ? used : used + 1, at + word.length, own);
    }
  }
  return Math.min(...best.map((row) => row[text.length] as number));
}
