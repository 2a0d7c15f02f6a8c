import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { arrayText } from '#api/postgres/array-text.ts';
import { usePostgres } from '#test/support/use-services.ts';

test('PostgreSQL reads the values of an array unchanged', async () => {
  const { database } = await usePostgres();
  const texts = [
    '',
    'NULL',
    null,
    'plain',
    '{"a":"\\"quoted\\"","b":[1,2],"c":"\\u0000"}',
    'comma, brace } and \\ backslash',
    'line\nbreak\ttab\rreturn\u0001control\u007f',
    'ä ✓ 😀 \u2028',
  ];
  const { rows } = await sql<{ texts: unknown; numbers: unknown; flags: unknown; none: unknown }>`
    SELECT ${arrayText(texts)}::text[] AS texts, ${arrayText([1, -2.5, null])}::float8[] AS numbers, ${arrayText([true, false])}::boolean[] AS flags,
      ${arrayText([])}::text[] AS none`.execute(database);
  expect(rows[0]).toEqual({ texts, numbers: [1, -2.5, null], flags: [true, false], none: [] });
});

test('replaces a lone surrogate, as in any UTF-8 text', async () => {
  const { database } = await usePostgres();
  const { rows } = await sql<{ texts: unknown }>`SELECT ${arrayText(['a\ud83d', '\udc00"'])}::text[] AS texts`.execute(
    database,
  );
  expect(rows[0]?.texts).toEqual(['a\ufffd', '\ufffd"']);
});
