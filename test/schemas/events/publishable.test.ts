import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { publishableSchemas } from '#schemas/events/publishable.ts';
import { EVENT_VERSIONS } from '#schemas/events/registry.ts';
import { arbEventV1 } from '#test/support/arbitrary-events.ts';
import { TRAP_EVENT } from './sample-event.ts';

const [published] = publishableSchemas();
const text = published?.text ?? '';

test('every version is published, with the same text each time', () => {
  expect(publishableSchemas().map((schema) => schema.version)).toEqual(
    EVENT_VERSIONS.map((version) => version.version),
  );
  expect(publishableSchemas()[0]?.text).toBe(text);
});

test('the text uses a draft and keywords that registries support', () => {
  expect(JSON.parse(text)).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#', properties: {} });
  expect(text).not.toMatch(/"(discriminator|format)"/);
  expect(text).toContain('"maximum":18446744073709551615');
});

/** Compiled as by the registry client: strict, draft-07, no formats. */
const validate = new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(JSON.parse(text));

test('it accepts every event of the format', () => {
  const numbers = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
  fc.assert(
    fc.property(arbEventV1(), (event) => {
      expect(validate(JSON.parse(JSON.stringify(event, numbers))) || validate.errors).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('it rejects events outside the format', () => {
  expect(validate(TRAP_EVENT)).toBe(true);
  expect(validate({ ...TRAP_EVENT, version: 'V2' })).toBe(false);
  expect(validate({ ...TRAP_EVENT, timestamp: 'yesterday' })).toBe(false);
  expect(validate({ ...TRAP_EVENT, event: { ...TRAP_EVENT.event, ip: -1 } })).toBe(false);
  expect(validate({ ...TRAP_EVENT, event: { ...TRAP_EVENT.event, level: 'Loud' } })).toBe(false);
});

test('a client with default settings compiles it without warnings', () => {
  const said: unknown[] = [];
  const logger = {
    log: (m: unknown) => said.push(m),
    warn: (m: unknown) => said.push(m),
    error: (m: unknown) => said.push(m),
  };
  new Ajv({ logger }).compile(JSON.parse(text));
  expect(said).toEqual([]);
});
