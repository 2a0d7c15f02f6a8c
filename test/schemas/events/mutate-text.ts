import type { SeededRandom } from '#test/support/seeded-random.ts';

/** Fragments that break parsers: number forms, brackets, escapes, duplicate and strange keys, long digits. */
const PIECES = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    ',',
    ':',
    '\\',
    '\\u',
    '\\ud800',
    '-',
    '-0',
    '1e400',
    '1e-400',
    '.',
    'e',
    'null',
    'true',
  ],
  ...['18446744073709551615', '18446744073709551616', '9007199254740993', '1.8446744073709551616e19', '00'],
  ...[
    '"__proto__":',
    '"ip":',
    '"event":{',
    '"version":"V1",',
    '"FullEvents":[',
    '\u0000',
    '\ufeff',
    '\ufffd',
    '\ud800',
    ' ',
    '\n',
  ],
];

/** Returns the text with up to four fragments removed, inserted or duplicated. */
export function mutateText(text: string, random: SeededRandom): string {
  let mutated = text;
  for (let i = random.between(1, 4); i > 0; i--) {
    const at = random.between(0, mutated.length);
    const cut = random.pick([0, 0, 1, 1, 2, random.between(0, 40)]);
    const put = random.pick([
      '',
      random.pick(PIECES),
      random.pick(PIECES),
      mutated.slice(at, at + random.between(0, 60)),
    ]);
    mutated = mutated.slice(0, at) + put + mutated.slice(at + cut);
  }
  return mutated;
}
