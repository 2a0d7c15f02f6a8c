import { expect, test } from 'vitest';
import { lastLine } from '../../bin/run/test.mjs';

test('the last line names skipped tests only when there are any', () => {
  expect(lastLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed');
  expect(lastLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped');
});
