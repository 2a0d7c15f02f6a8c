import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkedKind, newOutputSchema, OUTPUT_KINDS } from '#api/outputs/kind-registry.ts';
import { defineOutputKind } from '#api/outputs/output-kind.ts';

const EMPTY = z.strictObject({});
const OUTPUT = { close: async () => {}, deliver: async () => ({ answer: '' }), maxBatch: 1 };
const defined = (settings: z.ZodObject, receiver: string[] = []) =>
  defineOutputKind({
    label: 'Sample',
    description: 'A sample.',
    settings,
    secrets: EMPTY,
    receiver: receiver as never[],
    open: () => OUTPUT,
  });

test('the kinds are the files of the folder, sorted by position', () => {
  const files = readdirSync(new URL('../../../api/outputs/kinds/', import.meta.url));
  expect([...OUTPUT_KINDS.keys()].sort()).toEqual(files.map((file) => file.replace('.ts', '')).sort());
  expect([...OUTPUT_KINDS.keys()].slice(0, 3)).toEqual(['webhook', 'chat', 'syslog']);
});

describe('a file of the folder is rejected', () => {
  test('without an exported kind', () => {
    expect(() => checkedKind('sample.ts', undefined)).toThrow('kinds/sample.ts must export `kind`');
  });

  test('with a name that cannot be a type', () => {
    expect(() => checkedKind('Sample.ts', defined(EMPTY))).toThrow('must be named in lower case');
  });

  test('with a field without a title', () => {
    const kind = defined(z.strictObject({ port: z.int() }));
    expect(() => checkedKind('sample.ts', kind)).toThrow('the field port needs a `title`');
  });

  test('with a receiver that is not a setting', () => {
    expect(() => checkedKind('sample.ts', defined(EMPTY, ['host']))).toThrow('unknown setting host');
  });
});

test('settings and secrets are optional if all their fields are', () => {
  expect(newOutputSchema.parse({ type: 'chat', name: 'a', secrets: { url: 'https://chat.example/1' } })).toEqual({
    type: 'chat',
    name: 'a',
    enabled: true,
    filter: {},
    settings: { style: 'slack' },
    secrets: { url: 'https://chat.example/1' },
  });
  expect(newOutputSchema.safeParse({ type: 'chat', name: 'a' }).success).toBe(false);
});

test('validates a stored output when it is opened', () => {
  const kind = defined(z.strictObject({ port: z.int().meta({ title: 'Port' }) }));
  const target = { reach: { fetch: async () => Promise.reject(new Error('unused')) }, outputId: 'out_1', secrets: {} };
  expect(() => kind.open({ ...target, settings: { port: 'x' } })).toThrow(z.ZodError);
  expect(kind.open({ ...target, settings: { port: 1 } })).toBe(OUTPUT);
});
