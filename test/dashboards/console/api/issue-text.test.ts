import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { searchCondition } from '#analytics/clickhouse/search/search-condition.ts';
import { germanIssue, MESSAGES } from '#dashboards/console/src/api/issue-text.de.ts';
import { plainMessage } from '#schemas/plain-message.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../../../..');

/** One schema and invalid value for each kind of validation issue of a request, with the German text. */
const SCHEMAS: readonly (readonly [schema: z.ZodType, value: unknown, german: string])[] = [
  [z.object({ a: z.string() }), {}, 'Pflichtangabe'],
  [z.string(), 1, 'Text wird erwartet'],
  [z.int(), 1.5, 'Eine ganze Zahl wird erwartet'],
  [z.boolean(), 1, 'true oder false wird erwartet'],
  [z.array(z.string()), 'a', 'Eine Liste wird erwartet'],
  [z.enum(['a', 'b']), 'c', 'Einer dieser Werte wird erwartet: a, b'],
  [z.string().min(12), 'a', 'Erwartet: mindestens 12 Zeichen'],
  [z.string().max(1), 'ab', 'Erwartet: höchstens 1 Zeichen'],
  [z.array(z.string()).min(1), [], 'Erwartet: mindestens 1 Eintrag'],
  [z.number().min(10), 1, 'Eine Zahl von mindestens 10 wird erwartet'],
  [z.number().positive(), 0, 'Eine Zahl über 0 wird erwartet'],
  [z.number().multipleOf(5), 7, 'Ein Vielfaches von 5 wird erwartet'],
  [z.email(), 'a', 'Eine E-Mail-Adresse wird erwartet'],
  [z.iso.datetime(), 'a', 'Ein Zeitpunkt wie 2026-03-01T12:00:00Z wird erwartet'],
  [z.string().regex(/^[a-z]+$/), '1', 'Ein Wert wird erwartet, auf den /^[a-z]+$/ zutrifft'],
  [z.strictObject({}), { b: 1 }, 'Unbekannt: b'],
  [z.union([z.string(), z.number()]), true, 'Der Wert hat keine der zulässigen Formen'],
];

test.each(SCHEMAS.map(([schema, value, german]) => [german, schema, value] as const))('%s', (german, schema, value) => {
  const [issue] = schema.safeParse(value, { error: plainMessage }).error?.issues ?? [];
  expect(germanIssue('invalid_value', issue?.message ?? '')).toBe(german);
});

test.each([
  [
    'a hostnam:x',
    'Unbekanntes Feld „hostnam“ (Zeichen 3): Meinten Sie hostname? Setzen Sie sonst den Text in Anführungszeichen',
  ],
  ['hostname:', 'Ein Wert wird erwartet (Zeichen 10)'],
  ['a or', 'Ein Suchbegriff wird erwartet (Zeichen 5)'],
  ['(a', 'Diese Klammer ist nicht geschlossen (Zeichen 1)'],
])('translates the error of the search %s', (text, german) => {
  expect(() => searchCondition('events', text)).toThrow(
    expect.toSatisfy(({ message }: Error) => germanIssue('invalid_value', message) === german),
  );
});

test('puts the meaning of the code before a message without translation', () => {
  expect(germanIssue('conflict', 'the queue moves')).toBe('Im aktuellen Zustand nicht möglich: „the queue moves“');
  expect(germanIssue('a_later_code', 'the queue moves')).toBe('the queue moves');
});

test('translates only messages that the API has', () => {
  const messages = Object.keys(MESSAGES);
  const lines = execFileSync(
    'git',
    ['grep', '-hF', ...messages.flatMap((one) => ['-e', one]), '--', 'api', 'schemas'],
    {
      cwd: REPOSITORY,
      encoding: 'utf8',
    },
  );
  expect(messages.filter((message) => !lines.includes(message))).toEqual([]);
});
