import { expect, test } from 'vitest';
import { longFunctions } from '../../../bin/length/long-functions.ts';

const body = (lines: number) => Array.from({ length: lines - 2 }, () => '  work();').join('\n');

test('finds a function of more than 100 lines, with its name and whether a reason precedes it', () => {
  const source = [
    `function short() {\n${body(100)}\n}`,
    `/** Does it. */\nexport function long() {\n${body(101)}\n}`,
    `/** Does it. Long: it has 101 lines. */\nexport const reasoned = () => {\n${body(101)}\n};`,
    `const object = {\n  // Long: a test.\n  member: async function () {\n${body(120)}\n  },\n};`,
  ].join('\n\n');
  expect(longFunctions('a.ts', source)).toEqual([
    { name: 'long', line: 103, lines: 101, hasReason: false },
    { name: 'reasoned', line: 206, lines: 101, hasReason: true },
    { name: 'member', line: 310, lines: 120, hasReason: true },
  ]);
});

test('a reason of another statement does not count', () => {
  const source = `/** Long: another one. */\nconst a = 1;\nfunction long() {\n${body(101)}\n}`;
  expect(longFunctions('a.ts', source)).toMatchObject([{ name: 'long', hasReason: false }]);
});

test('source that cannot be parsed is an error', () => {
  expect(() => longFunctions('a.ts', 'function (')).toThrow('a.ts cannot be parsed');
});
