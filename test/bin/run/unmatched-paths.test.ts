import path from 'node:path';
import { expect, test } from 'vitest';
import { unmatchedPaths } from '../../../bin/run/unmatched-paths.mjs';

const ROOT = path.resolve(import.meta.dirname, '../../..');

test.each([
  ['a folder', 'test/bin/run'],
  ['a part of a file name', 'unmatched-paths'],
  ['a relative path', './test/bin/run/unmatched-paths.test.ts'],
  ['an absolute path', import.meta.filename],
  ['a line of a file', 'test/bin/run/unmatched-paths.test.ts:7'],
])('finds the test files of %s', (_, given) => {
  expect(unmatchedPaths([given], { root: ROOT, long: false })).toEqual([]);
});

test('returns the paths without test files', () => {
  expect(unmatchedPaths(['test/bin', 'test/nothing-here'], { root: ROOT, long: false })).toEqual(['test/nothing-here']);
  expect(unmatchedPaths(['unmatched-paths'], { root: ROOT, long: true })).toEqual(['unmatched-paths']);
});
