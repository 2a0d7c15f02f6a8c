import { expect, test } from 'vitest';
import { oneOf, readSoakOptions } from './soak-options.ts';

const DEFAULTS = { runs: 200, seed: 1, shards: '3', kind: undefined };

test('uses defaults for missing options, and leaves --of to npm run soak', () => {
  expect(readSoakOptions([], DEFAULTS)).toEqual(DEFAULTS);
  expect(readSoakOptions(['--of', 'x', '--runs', '2', '--shards=1,1', '--kind', 'k'], DEFAULTS)).toEqual({
    runs: 2,
    seed: 1,
    shards: '1,1',
    kind: 'k',
  });
});

test.each([
  [['--nonsense'], "Unknown option '--nonsense'"],
  [['extra'], "Unexpected argument 'extra'. This command does not take positional arguments"],
  [['--runs'], "Option '--runs <value>' argument missing"],
  // Regression: `Number('abc')` gave a soak without runs, which passed.
  [['--runs', 'abc'], '--runs: must be a whole number (got abc)'],
  [['--seed=-1'], '--seed: must be a whole number (got -1)'],
  [['--seed', '1.5'], '--seed: must be a whole number (got 1.5)'],
])('%j is wrong usage', (args, message) => {
  expect(() => readSoakOptions(args, DEFAULTS)).toThrow(message);
});

test('rejects an unknown name as wrong usage', () => {
  expect(oneOf('shape', 'small', ['full', 'small'])).toBe('small');
  expect(() => oneOf('shape', 'tiny', ['full', 'small'])).toThrow('--shape: must be one of full, small (got tiny)');
});
