import { BANNED_WORDS } from './banned-words.ts';

export interface BannedWord {
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}

/** The banned words of a text, in the order of the list of words. Lines count from 1. */
export function bannedWordsOf(text: string): BannedWord[] {
  return BANNED_WORDS.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(({ 0: word, index }) => ({
      line: text.slice(0, index).split('\n').length,
      word,
      instead,
    })),
  );
}

export interface Ceilings {
  /** Banned words that a folder may still have. A change may lower the number, never raise it. */
  readonly [folder: string]: number;
}

/** What is wrong with the counts: a folder with more banned words than its ceiling, or with fewer, so that the ceiling must fall. */
export function compareWithCeilings(counts: ReadonlyMap<string, number>, ceilings: Ceilings): string[] {
  const folders = new Set([...counts.keys(), ...Object.keys(ceilings)]);
  return [...folders].sort().flatMap((folder) => {
    const count = counts.get(folder) ?? 0;
    const ceiling = ceilings[folder] ?? 0;
    if (count > ceiling) return [`${folder}/ has ${count} banned words, ${ceiling} are allowed`];
    if (count < ceiling)
      return [`${folder}/ has ${count} banned words: lower its ceiling of ${ceiling} in bin/language/ceilings.json`];
    return [];
  });
}

/** Commit subjects are at most this long. */
export const MAX_SUBJECT_CHARACTERS = 72;

/** The commits of `git log --format='%h %s'` whose subject is too long. Merges by git itself are exempt. */
export function longSubjects(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .filter((line) => [...line.slice(line.indexOf(' ') + 1)].length > MAX_SUBJECT_CHARACTERS)
    .map((line) => `commit ${line}: the subject is longer than ${MAX_SUBJECT_CHARACTERS} characters`);
}
