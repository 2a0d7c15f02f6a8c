import { readdirSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { compileVersion } from '#schemas/events/compile-version.ts';
import type { InternalEvent } from '#schemas/events/event.ts';
import { checkedVersion, compiledVersion, EVENT_VERSIONS } from '#schemas/events/registry.ts';
import { TRAP_EVENT } from './sample-event.ts';

test('every version is compiled under its own name', () => {
  for (const { version } of EVENT_VERSIONS) expect(compiledVersion(version)?.version).toBe(version);
  expect(compiledVersion('V0')).toBeUndefined();
  expect(compiledVersion('constructor')).toBeUndefined();
});

test('every schema is valid against the meta-schema of its draft', () => {
  const ajv = new Ajv2020();
  for (const { schema } of EVENT_VERSIONS) expect(ajv.validateSchema(schema) || ajv.errors).toBe(true);
});

test('a schema that does not compile stops the start, not an event', () => {
  expect(() => compileVersion({ version: 'V9', schema: { type: 'objekt' } })).toThrow();
  expect(() => compileVersion({ version: 'V9', schema: { type: 'object', propertys: {} } })).toThrow(/propertys/);
});

test('a new version only needs its schema: 64-bit fields and timestamps are derived from it', () => {
  const next = compileVersion({
    version: 'V2',
    schema: {
      type: 'object',
      required: ['at', 'n'],
      properties: {
        at: { type: 'string', format: 'date-time' },
        n: { type: 'array', items: { type: 'integer', minimum: 0, format: 'uint64' } },
      },
    },
  });
  expect(next.exactFields.members.get('n')?.items?.uint64).toBe(true);
  expect(next.check({ at: '2026-03-01T08:15:30Z', n: [1] })).toEqual({ valid: true, inexact: false });
  expect(next.check({ at: '2026-03-01T08:15:30Z', n: [1, 2 ** 60] })).toEqual({ valid: true, inexact: true });
  expect(next.check({ at: '2026-02-30T08:15:30Z', n: [] })).toMatchObject({
    valid: false,
    error: { keyword: 'format' },
  });
});

test('an event of a version with another shape is read as the internal event', () => {
  const flat = compileVersion({
    version: 'V9',
    schema: { type: 'object', required: ['at'], properties: { at: { type: 'string', format: 'date-time' } } },
    upcast: (event: { at: string }) => ({ ...TRAP_EVENT, timestamp: event.at }) as InternalEvent,
  });
  expect(flat.isInternal).toBe(false);
  expect(flat.upcast({ at: '2026-03-01T08:15:30Z' })).toEqual({ ...TRAP_EVENT, timestamp: '2026-03-01T08:15:30Z' });
  const v1 = compiledVersion('V1');
  expect(v1?.isInternal).toBe(true);
  expect(v1?.upcast(TRAP_EVENT)).toBe(TRAP_EVENT);
});

test('every file of versions/ is a version, and no two have the same schema id', () => {
  const files = readdirSync(new URL('../../../schemas/events/versions/', import.meta.url));
  expect(files.sort()).toEqual(EVENT_VERSIONS.map(({ version }) => `${version.toLowerCase()}.ts`));
  const ids = EVENT_VERSIONS.map(({ schema }) => (schema as { readonly $id?: string }).$id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).not.toContain(undefined);
});

test('every version has the fields that the API promises for original events', () => {
  for (const { schema } of EVENT_VERSIONS)
    expect(schema).toMatchObject({
      required: expect.arrayContaining(['version', 'timestamp', 'event']),
      properties: { timestamp: { format: 'date-time' }, event: { required: expect.arrayContaining(['type']) } },
    });
});

test('a file that is not a version stops the start and is named', () => {
  expect(() => checkedVersion('v7.ts', undefined)).toThrow('schemas/events/versions/v7.ts must export `version`');
  expect(() => checkedVersion('v7.ts', { version: 'V8', schema: {} })).toThrow(/named after its version .*got V8/);
});
