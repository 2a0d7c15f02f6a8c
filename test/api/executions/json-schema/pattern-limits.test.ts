import { describe, expect, it } from 'vitest';
import { patternProblem } from '#api/executions/json-schema/pattern-limits.ts';

describe('patternProblem', () => {
  it.each([
    '^[a-z]+$',
    '(opened|grown)',
    'a{1,3}',
    '(ab)?c*',
    '\\d+\\.\\d+',
    '^([a-z0-9]+\\.)+[a-z]+$',
    '^\\d{1,3}(\\.\\d{1,3}){3}$',
    '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    '^https?://[^/]+(/[^/]+)*$',
    '([a-z]|[0-9])+',
    '(?:foo|bar)+',
    '(?<year>\\d{4})-\\p{L}+',
    '[)](b)',
  ])('accepts %s', (pattern) => {
    expect(patternProblem(pattern)).toBeUndefined();
  });

  it.each([
    ['(a+)+$', 'in several ways'],
    ['(a|a)*b', 'in several ways'],
    ['(a|ab)*c', 'in several ways'],
    ['(a*)*', 'in several ways'],
    ['((a+))+', 'in several ways'],
    ['(a{2,})+', 'in several ways'],
    ['^(\\w+\\s?)+$', 'in several ways'],
    ['(a?){50}a{50}', 'in several ways'],
    ['(.*)\\1', 'refers back'],
    ['(?<x>a)\\k<x>', 'refers back'],
    ['a'.repeat(1_001), 'at most 1000 characters, this one 1001'],
    ['(', 'Invalid regular expression'],
  ])('rejects %s', (pattern, reason) => {
    expect(patternProblem(pattern)).toContain(reason);
  });
});
