import { BANNED_WORDS } from './banned-words.ts';

export interface BannedWord {
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}

/** Returns the banned words in a text, in the order of the word list. Lines count from 1. */
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
  /** Maximum number of banned words per folder. A change may lower it, but not raise it. */
  readonly [folder: string]: number;
}

/**
 * Returns one problem for each folder whose count is above its ceiling, or below it: the ceiling must then be lowered.
 */
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

/** Maximum length of a commit subject. */
export const MAX_SUBJECT_CHARACTERS = 72;

/**
 * Returns the commits in the output of `git log --format='%h %s'` whose subject is too long. Merge commits are exempt.
 */
export function longSubjects(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .filter((line) => [...line.slice(line.indexOf(' ') + 1)].length > MAX_SUBJECT_CHARACTERS)
    .map((line) => `commit ${line}: the subject is longer than ${MAX_SUBJECT_CHARACTERS} characters`);
}
