import { describe, expect, test } from 'vitest';
import { bannedWordsOf, compareWithCeilings, longSubjects } from '../../../bin/language/count-banned.ts';

describe('banned words', () => {
  test('are found with their line, in any case', () => {
    expect(bannedWordsOf('Fine.\nWhoever reads it\nis told of MOST_ROWS.')).toMatchObject([
      { line: 2, word: 'Whoever' },
      { line: 3, word: 'told' },
      { line: 3, word: 'MOST_R' },
    ]);
  });

  test('are not names of accounts in backticks', () => {
    expect(bannedWordsOf('runs as `nobody`, which nobody owns')).toMatchObject([{ word: 'nobody' }]);
  });

  test('are whole words', () => {
    expect(bannedWordsOf('besides, tellurium, anewer, this, the')).toEqual([]);
  });
});

describe('ceilings', () => {
  test('rejects more than the ceiling, reports less, and accepts the ceiling', () => {
    const counts = new Map([
      ['api', 3],
      ['docs', 1],
      ['test', 2],
    ]);
    expect(compareWithCeilings(counts, { api: 2, docs: 1, test: 5 })).toEqual([
      'api/ has 3 banned words, 2 are allowed',
      'test/ has 2 banned words: lower its ceiling of 5 in bin/language/ceilings.json',
    ]);
  });

  test('a folder without a ceiling may have none', () => {
    expect(compareWithCeilings(new Map([['new', 1]]), {})).toHaveLength(1);
    expect(compareWithCeilings(new Map(), { gone: 1 })).toHaveLength(1);
  });
});

test('a subject has at most 72 characters', () => {
  expect(longSubjects(`abc1234 ${'x'.repeat(72)}\n`)).toEqual([]);
  expect(longSubjects(`abc1234 ${'x'.repeat(73)}\n`)).toHaveLength(1);
});
