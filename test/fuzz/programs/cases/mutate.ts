import type { SeededRandom } from '#test/support/seeded-random.ts';

/** Text that parsers handle differently from plain letters. */
const ODD = [
  '',
  ' ',
  '\n',
  '\t',
  '\u0000',
  '\ufeff',
  '\u2028',
  '\ud800',
  '\u{1f4a3}',
  '"',
  "'",
  '\\',
  '\\u0000',
  '${',
  '}',
  '{',
  '[',
  ']',
  '(',
  ')',
  ':',
  '- ',
  '#',
  '&a',
  '*a',
  '!!binary',
  '!!js/function',
  '<<',
  '|',
  '>',
  '%',
  '@',
  '`',
  '-0',
  '1e999',
  '9007199254740993',
  '0x10',
  '.inf',
  'null',
  '~',
  '__proto__',
  'constructor',
  '$ref',
  '..',
  '//',
  '/*',
  '?//',
  'reduce',
  'foreach',
  'limit(9;',
  'await ',
  'yield ',
  '=>',
  '...',
] as const;

/**
 * Mutates a text in one to four places: deletes, repeats, moves or replaces a part, or inserts text that parsers handle
 * specially.
 */
export function mutateText(text: string, random: SeededRandom): string {
  let changed = text;
  for (let left = random.between(1, 4); left > 0; left -= 1) changed = mutateOnce(changed, random);
  return changed;
}

function mutateOnce(text: string, random: SeededRandom): string {
  const from = random.between(0, text.length);
  const to = Math.min(text.length, from + random.between(0, 24));
  const [before, part, after] = [text.slice(0, from), text.slice(from, to), text.slice(to)];
  switch (random.between(0, 5)) {
    case 0:
      return before + after;
    case 1:
      return before + part + part + after;
    case 2:
      return before + random.pick(ODD) + after;
    case 3:
      return before + random.pick(ODD) + part + random.pick(ODD) + after;
    case 4:
      return before + part.split('').reverse().join('') + after;
    default: {
      const place = random.between(0, text.length);
      return text.slice(0, place) + part + text.slice(place);
    }
  }
}
