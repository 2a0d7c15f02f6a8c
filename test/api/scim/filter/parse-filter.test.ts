import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Filter, OPERATORS, parseFilter } from '#api/scim/filter/parse-filter.ts';
import { ScimError } from '#api/scim/scim-error.ts';

const compare = (attribute: string, operator: string, value: unknown) => ({
  kind: 'compare',
  attribute,
  operator,
  value,
});

describe('a SCIM filter', () => {
  test.each<[string, object]>([
    ['userName eq "bjensen"', compare('username', 'eq', 'bjensen')],
    ['UserName Eq "a \\"b\\" \\u00e9"', compare('username', 'eq', 'a "b" é')],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"', compare('username', 'sw', 'J')],
    ['meta.lastModified gt "2011-05-13T04:42:34Z"', compare('meta.lastmodified', 'gt', '2011-05-13T04:42:34Z')],
    ['active eq True', compare('active', 'eq', true)],
    ['title pr', { kind: 'present', attribute: 'title' }],
    [
      'a eq 1 or b eq 2 and not (c eq null)',
      {
        kind: 'or',
        filters: [
          compare('a', 'eq', 1),
          { kind: 'and', filters: [compare('b', 'eq', 2), { kind: 'not', filter: compare('c', 'eq', null) }] },
        ],
      },
    ],
    [
      'emails[type eq "work" and value co "@example.com"]',
      {
        kind: 'element',
        attribute: 'emails',
        filter: { kind: 'and', filters: [compare('type', 'eq', 'work'), compare('value', 'co', '@example.com')] },
      },
    ],
    [
      '(a pr)and(b pr)',
      {
        kind: 'and',
        filters: [
          { kind: 'present', attribute: 'a' },
          { kind: 'present', attribute: 'b' },
        ],
      },
    ],
  ])('%s', (text, filter) => {
    expect(parseFilter(text)).toEqual(filter);
  });

  test.each([
    '',
    'a',
    'a eq',
    'a eq "b',
    'a xx "b"',
    'a eq b',
    '"a" eq "b"',
    'a eq "b" c',
    '(a pr',
    'a pr)',
    'not a pr',
    'a[b[c pr]]',
    'a[b pr',
    'a.b.c pr',
    'a eq {}',
    `${'('.repeat(40)}a pr${')'.repeat(40)}`,
    `a eq "${'x'.repeat(5_000)}"`,
  ])('rejects %s', (text) => {
    expect(() => parseFilter(text)).toThrow(ScimError);
  });

  const name = fc
    .stringMatching(/^[a-z][a-z0-9]{0,5}(?:\.[a-z]{1,4})?$/)
    .filter((text) => !['not', 'and', 'or'].includes(text));
  const value = fc.oneof(fc.string(), fc.boolean(), fc.constant(null), fc.integer());
  const { filter: anyFilter } = fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      fc.record({
        kind: fc.constant('compare' as const),
        attribute: name,
        operator: fc.constantFrom(...OPERATORS),
        value,
      }),
      fc.record({ kind: fc.constant('present' as const), attribute: name }),
      fc.record({ kind: fc.constant('not' as const), filter: tie('filter') }),
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        filters: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
      }),
    ),
  }));

  test('a written filter is parsed as the same filter (property)', () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        expect(parseFilter(written(filter))).toEqual(filter);
      }),
      { numRuns: 200, seed: 7644 },
    );
  });

  test('any text is parsed or rejected as a filter (property)', () => {
    const part = fc.oneof(
      fc.constantFrom(' ', '(', ')', '[', ']', '"', '\\', 'eq', 'pr', 'and', 'or', 'not', 'a', 'a.b', 'true', '1'),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        try {
          parseFilter(parts.join(''));
        } catch (error) {
          expect(error).toMatchObject({ status: 400, scimType: 'invalidFilter' });
        }
      }),
      { numRuns: 500, seed: 7643 },
    );
  });
});

/** Returns the text of a filter with parentheses around each operand. */
function written(filter: Filter): string {
  switch (filter.kind) {
    case 'present':
      return `${filter.attribute} pr`;
    case 'compare':
      return `${filter.attribute} ${filter.operator} ${JSON.stringify(filter.value)}`;
    case 'not':
      return `not (${written(filter.filter)})`;
    case 'element':
      return `${filter.attribute}[${written(filter.filter)}]`;
    default:
      return filter.filters.map((one) => `(${written(one)})`).join(` ${filter.kind} `);
  }
}
