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
  [z.string(), 1, 'Muss Text sein'],
  [z.int(), 1.5, 'Muss eine ganze Zahl sein'],
  [z.boolean(), 1, 'Muss true oder false sein'],
  [z.array(z.string()), 'a', 'Muss eine Liste sein'],
  [z.enum(['a', 'b']), 'c', 'Muss einer dieser Werte sein: a, b'],
  [z.string().min(12), 'a', 'Muss mindestens 12 Zeichen haben'],
  [z.string().max(1), 'ab', 'Darf höchstens 1 Zeichen haben'],
  [z.array(z.string()).min(1), [], 'Muss mindestens 1 Eintrag haben'],
  [z.number().min(10), 1, 'Muss mindestens 10 sein'],
  [z.number().positive(), 0, 'Muss größer als 0 sein'],
  [z.number().multipleOf(5), 7, 'Muss ein Vielfaches von 5 sein'],
  [z.email(), 'a', 'Muss eine E-Mail-Adresse sein'],
  [z.iso.datetime(), 'a', 'Muss ein Zeitpunkt wie 2026-03-01T12:00:00Z sein'],
  [z.string().regex(/^[a-z]+$/), '1', 'Muss dem Muster /^[a-z]+$/ entsprechen'],
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
  ['hostname:', 'Wert erwartet (Zeichen 10)'],
  ['a or', 'Suchbegriff erwartet (Zeichen 5)'],
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
