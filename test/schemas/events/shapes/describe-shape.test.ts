import { expect, test } from 'vitest';
import { describeShape } from '#schemas/events/shapes/describe-shape.ts';
import { makeObject } from '#schemas/events/shapes/shape.ts';
import { eventV1Schema } from '#schemas/events/versions/v1.ts';
import { TRAP_EVENT } from '../sample-event.ts';

const TRAP = JSON.stringify(TRAP_EVENT);
const describe = (text: string, schema: object = eventV1Schema) => describeShape(text, JSON.parse(text), schema);

test('names, times and integers of an event vary, words that the format chooses from stay', () => {
  const shape = describe(TRAP);
  expect(shape?.slots).toEqual([
    'time',
    'name',
    ...['uint64', 'name', 'uint64', 'uint64', 'uint64', 'name'],
    'uint64',
    'uint64',
  ]);
  expect(shape?.literals.slice(0, 5)).toEqual([
    '{"version":"V1","timestamp":"',
    '","hostname":"',
    '","event":{"type":"LinuxKernelTrap","level":"Info","facility":"Kern","trap":{"type":"Segfault","location":',
    '},"procname":"',
    '","pid":',
  ]);
  expect(shape?.literals.at(-1)).toBe('}}');
});

test('the values of the slots restore the event', () => {
  const shape = describe(TRAP);
  const { event } = TRAP_EVENT;
  const values = [TRAP_EVENT.timestamp, 'another', 2n ** 63n, 'p', 1, 2, 3, event.file, event.vmasize, event.vmastart];
  expect(shape && makeObject(shape.root, values)).toEqual({
    ...TRAP_EVENT,
    hostname: 'another',
    event: { ...event, trap: { type: 'Segfault', location: 2n ** 63n }, procname: 'p', pid: 1, ip: 2, sp: 3 },
  });
});

test('members that the format does not know vary as texts and integers', () => {
  expect(describe(TRAP.replace('"event":', '"seq":1,"site":{"name":"fra1"},"event":'))?.slots.slice(0, 4)).toEqual([
    'time',
    'name',
    'integer',
    'text',
  ]);
});

test('members that the format only describes vary like unknown ones', () => {
  const process = { executable: '/usr/sbin/edge-gw', uid: 33, container: { id: 'c0ffee' } };
  const shape = describe(JSON.stringify({ ...TRAP_EVENT, event: { ...TRAP_EVENT.event, process, signal: 'SIGSEGV' } }));
  expect(shape?.slots.slice(-4)).toEqual(['text', 'integer', 'text', 'text']);
});

test('registers are texts like no other', () => {
  const text = JSON.stringify({
    version: 'V1',
    timestamp: '2026-03-01T08:15:30Z',
    event: {
      type: 'LinuxFatalSignal',
      level: 'Info',
      facility: 'Kern',
      signal: 'SIGSEGV',
      stack_dump: { RIP: 'a', RSP: 'b' },
    },
  });
  expect(describe(text)?.slots).toEqual(['time', 'text', 'text']);
});

test.each([
  ['a letter beyond ASCII', TRAP.replace('edge-1', 'ü')],
  ['an escape', TRAP.replace('edge-1', '\\u0041')],
  ['a list', TRAP.replace('"event":', '"list":[],"event":')],
  ['a fraction', TRAP.replace('"location":0', '"location":0.0')],
  ['a key that comes twice', TRAP.replace('"pid":', '"pid":1,"pid":')],
  ['the prototype as a member', TRAP.replace('"event":', '"__proto__":{},"event":')],
  ['more than is worth remembering', TRAP.replace('edge-1', 'x'.repeat(20_000))],
  [
    'more places than are worth remembering',
    TRAP.replace('"event":', `${Array.from({ length: 101 }, (_, i) => `"f${i}":1,`).join('')}"event":`),
  ],
])('%s has no shape', (_, text) => {
  expect(describe(text)).toBe(undefined);
});

test('if a schema restricts more than the kind of a value, nothing varies', () => {
  const schemaWith = (place: object) => ({ type: 'object', properties: { a: place } });
  expect(describe('{"a":"b"}', schemaWith({ type: 'string' }))?.slots).toEqual(['name']);
  expect(describe('{"a":"b"}', schemaWith({ type: 'string', pattern: '^b' }))).toBe(undefined);
  expect(describe('{"a":"b"}', schemaWith({ type: 'string', format: 'uri' }))).toBe(undefined);
  expect(describe('{"a":1}', schemaWith({ type: 'integer', minimum: 0, format: 'uint64' }))?.slots).toEqual(['uint64']);
  expect(describe('{"a":1}', schemaWith({ type: 'integer', minimum: 1, format: 'uint64' }))).toBe(undefined);
  expect(describe('{"a":1}', schemaWith({ type: 'integer' }))).toBe(undefined);
  expect(describe('{"a":"b"}', { ...schemaWith({ type: 'string' }), maxProperties: 1 })).toBe(undefined);
  expect(describe('{"a":"b"}', { type: 'object', additionalProperties: false })).toBe(undefined);
  expect(describe('{"a":"b"}', { ...schemaWith({ type: 'string' }), oneOf: [{}] })).toBe(undefined);
});
