import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { compileVersion } from '#schemas/events/compile-version.ts';
import { compiledVersion, EVENT_VERSIONS } from '#schemas/events/registry.ts';

test('every version is compiled under its own name', () => {
  for (const { version } of EVENT_VERSIONS) expect(compiledVersion(version)?.version).toBe(version);
  expect(compiledVersion('V0')).toBeUndefined();
  expect(compiledVersion('constructor')).toBeUndefined();
});

test('every schema is one by the meta-schema of its draft', () => {
  const ajv = new Ajv2020();
  for (const { schema } of EVENT_VERSIONS) expect(ajv.validateSchema(schema) || ajv.errors).toBe(true);
});

test('a schema that does not compile stops the start, not an event', () => {
  expect(() => compileVersion({ version: 'V9', schema: { type: 'objekt' } })).toThrow();
  expect(() => compileVersion({ version: 'V9', schema: { type: 'object', propertys: {} } })).toThrow(/propertys/);
});

test('a next version needs its schema alone: 64-bit fields and timestamps are found in it', () => {
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
