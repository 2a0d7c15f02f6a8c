import { describe, expect, it } from 'vitest';
import { safePattern } from '#api/executions/engine/safe-pattern.ts';

describe('safePattern', () => {
  it.each(['^[a-z]+$', '(opened|grown)', 'a{1,3}', '(ab)?c*', '\\d+\\.\\d+'])('takes %s', (pattern) => {
    expect(safePattern(pattern)).toBeInstanceOf(RegExp);
  });
  it.each(['(a+)+$', '(a|a)*b', '(a*)*', '((a+))+', '(.*)\\1', 'a'.repeat(501), '(a{2,})+'])(
    'refuses %s',
    (pattern) => {
      expect(() => safePattern(pattern)).toThrow();
    },
  );
});
