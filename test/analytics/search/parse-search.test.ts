import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { searchCondition } from '#analytics/clickhouse/search/search-condition.ts';
import { parseSearch } from '#analytics/search/parse-search.ts';
import { SearchError } from '#analytics/search/search-error.ts';
import type { SearchNode } from '#analytics/search/syntax-tree.ts';

/** Formats the tree for humans. */
function treeOf(node: SearchNode): string {
  switch (node.kind) {
    case 'text':
      return node.value.quoted ? `"${node.value.text}"` : node.value.text;
    case 'field':
      return `${node.field}${node.operator}${node.value.quoted ? `"${node.value.text}"` : node.value.text}`;
    case 'not':
      return `!${treeOf(node.part)}`;
    default:
      return `(${node.parts.map(treeOf).join(node.kind === 'and' ? '&' : '|')})`;
  }
}

describe('parses a search', () => {
  test.each([
    ['nginx', 'nginx'],
    ['  stack   smashing ', '(stack&smashing)'],
    ['"stack smashing"', '"stack smashing"'],
    ['"a \\"b\\" \\\\ c"', '"a "b" \\ c"'],
    ['hostname:web-1', 'hostname=web-1'],
    ['HostName="web 1"', 'hostname="web 1"'],
    ['pid:>=5', 'pid>=5'],
    ['pid>=5 pid<9', '(pid>=5&pid<9)'],
    ['procname!=sshd', 'procname!=sshd'],
    ['a or b c', '(a|(b&c))'],
    ['a AND b OR not c', '((a&b)|!c)'],
    ['(a or b) and not (c d)', '((a|b)&!(c&d))'],
    ['not not a', '!!a'],
    ['((a))', 'a'],
    ['"and" "or"', '("and"&"or")'],
    ['time>=2026-03-01T12:00:00Z', 'time>=2026-03-01T12:00:00Z'],
    ['ip:0x10..0x20', 'ip=0x10..0x20'],
    ['0x7f:1', '0x7f:1'],
    ['{"a":1}', '({&"a"&:1})'],
  ])('%s', (text, tree) => {
    expect(treeOf(parseSearch(text))).toBe(tree);
  });
});

describe('an error names its position', () => {
  test.each([
    ['', 'expected a search term', 0],
    ['a and', 'expected a search term', 5],
    ['or a', 'expected a search term', 0],
    ['(a or b', 'this parenthesis is not closed', 0],
    ['a)', 'there is no parenthesis to close', 1],
    ['a "b', 'the quoted text does not end', 2],
    ['a ""', 'the quoted text is empty', 2],
    ['hostname:', 'expected a value', 9],
    ['hostname: web', 'expected a value', 9],
    ['a nme:x', 'unknown field “nme”, at character 3: did you mean time? Otherwise put the text in quotes', 2],
    ['hostnam:x', 'unknown field “hostnam”, at character 1: did you mean hostname?', 0],
    ['colour:x', ', or put the text in quotes', 0],
    ['constructor:x', 'unknown field “constructor”', 0],
    ['pid:x', 'a whole number of 64 bits', 4],
    ['pid:18446744073709551616', 'a whole number of 64 bits', 4],
    ['pid:1..x', 'a whole number of 64 bits', 7],
    ['pid>1..2', 'a range is written', 4],
    ['time>yesterday', 'a date or an RFC 3339 time', 5],
    ['hostname>a', 'numbers, times and severities only', 9],
    ['pid>null', 'null can be compared with = and != only', 4],
    [`${'('.repeat(30)}a`, 'nested too deep', 21],
    [Array.from({ length: 51 }, () => 'a').join(' '), 'more than 50 terms', 100],
  ])('%s', (text, problem, at) => {
    const error = caught(() => searchCondition('events', text));
    expect(error).toBeInstanceOf(SearchError);
    expect((error as SearchError).message).toContain(problem);
    expect((error as SearchError).at).toBe(at);
  });

  test('names of severities', () => {
    expect(caught(() => searchCondition('detections', 'severity>=worse'))).toMatchObject({ at: 10 });
  });
});

test('no text reaches the query, and any text causes at most a search error', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '(',
      ')',
      ' and ',
      ' or ',
      ' not ',
      '"',
      '\\',
      "'",
      '`',
      '--',
      ';',
      '{q_0:String}',
      'hostname:',
      'pid>',
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
  );
  const secret = 'zq9zq';
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.constantFrom('events', 'detections', 'dead-letters'),
      (parts, kind) => {
        const error = caught(() => {
          const { sql } = searchCondition(kind as 'events', parts.join(secret));
          expect(sql).not.toContain(secret);
          expect(sql).toMatch(/^[\w\s(){}:.,<>=!'-]*$/);
        });
        if (error !== undefined && !(error instanceof SearchError)) throw error;
      },
    ),
    { numRuns: 2_000 },
  );
});

function caught(run: () => void): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}
