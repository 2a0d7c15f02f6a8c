import { expect, test } from 'vitest';
import { createEventReader, type EventReader } from '#schemas/events/event-reader.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import type { KernelTrap } from '#schemas/events/versions/v1.ts';
import { eventText, TRAP_EVENT, trapTextWithIp } from './sample-event.ts';

const TRAP = JSON.stringify(TRAP_EVENT);

/** A reader that learns from every event of unknown shape, so that the second event of a shape is read by it. */
const learned = (...texts: string[]): EventReader => {
  const read = createEventReader({ learnEvery: 1 });
  for (const text of texts) expect(read(Buffer.from(text)).ok).toBe(true);
  return read;
};

const trapOf = (read: EventReader, text: string): KernelTrap => {
  const result = read(Buffer.from(text));
  if (!result.ok || result.event.event.type !== 'LinuxKernelTrap') throw new Error('no trap was read');
  return result.event.event;
};

/** Constant members are created once per shape: two events of a known shape share them. */
function readByShape(read: EventReader, text: string): boolean {
  const before = trapOf(read, text);
  return before.errcode === trapOf(read, text).errcode;
}

test('an event of a known shape is read from a position in larger memory', () => {
  const read = learned(TRAP);
  const memory = Buffer.concat([Buffer.from('length'), Buffer.from(TRAP), Buffer.from(TRAP)]).subarray(2);
  const from = 4;
  expect(read.known(memory, from, from + TRAP.length)).toEqual(readEvent(TRAP));
  expect(read.known(memory, from, from + TRAP.length - 1)).toBeUndefined();
  expect(read.known(memory, from - 1, from + TRAP.length)).toBeUndefined();
  expect(createEventReader().known(memory, from, from + TRAP.length)).toBeUndefined();
});

test('an event of a known shape is read by the shape, with the same result as without it', () => {
  const read = learned(TRAP);
  for (const text of [
    TRAP,
    TRAP.replace('edge-1', '').replaceAll('edge-gw', 'PM2 v1: Go'),
    TRAP.replace('30.123456789+01:00', '31Z'),
    TRAP.replace(
      '"file":"edge-gw"',
      '"file":"/usr/lib/a name of more than sixty-four letters/which is kept by no one.so"',
    ),
    ...[0, 7, 12345678, 2 ** 32, 999_999_999_999_999].map((ip) => trapTextWithIp(String(ip))),
    ...['9007199254740991', '9007199254740992', '9007199254740993', '18446744073709551615'].map(trapTextWithIp),
  ]) {
    expect(read(Buffer.from(text))).toEqual(readEvent(text));
    expect(readByShape(read, text)).toBe(true);
  }
});

test('a field that may be null is another shape, and so is another kind of trap', () => {
  const withoutFile = TRAP.replace('"file":"edge-gw"', '"file":null').replace(/"vmastart":\d+/, '"vmastart":null');
  const opcode = TRAP.replace('"Segfault","location":0', '"InvalidOpcode"');
  const read = learned(TRAP, withoutFile, opcode);
  for (const text of [TRAP, withoutFile, opcode]) {
    expect(readByShape(read, text)).toBe(true);
    expect(read(Buffer.from(text))).toEqual(readEvent(text));
  }
});

test.each([
  ['a letter beyond ASCII', TRAP.replaceAll('edge-gw', 'früh')],
  ['an escape', TRAP.replaceAll('edge-gw', 'a\\"b')],
  ['a fraction', TRAP.replace('"location":0', '"location":1.0')],
  ['an exponent', trapTextWithIp('1e3')],
  ['minus zero', trapTextWithIp('-0')],
  ['a key that comes twice', TRAP.replace('"pid":31425', '"pid":1,"pid":31425')],
  ['a list', TRAP.replace('"event":', '"tags":["a"],"event":')],
  ['a member that would be the prototype', TRAP.replace('"event":', '"__proto__":{"a":"b"},"event":')],
])('with %s an event is read as it would be without shapes, known or not', (_, text) => {
  const read = learned(TRAP);
  for (let turn = 0; turn < 3; turn += 1) expect(read(Buffer.from(text))).toEqual(readEvent(text));
  expect(readByShape(read, text)).toBe(false);
  expect(readByShape(read, TRAP)).toBe(true);
});

test.each([
  ['a number that is too large', trapTextWithIp('18446744073709551616')],
  ['a much larger one', trapTextWithIp('9'.repeat(400))],
  ['a negative one', trapTextWithIp('-1')],
  ['leading zeros', trapTextWithIp('0123')],
  ['leading zeros of four digits', trapTextWithIp('0000')],
  ['no number', trapTextWithIp('')],
  ['a day that is not there', TRAP.replace('2026-03-01', '2026-02-30')],
  ['a time out of range', TRAP.replace('2026', '1899')],
  ['no time', TRAP.replace(TRAP_EVENT.timestamp, '')],
  ['another level', TRAP.replace('"Info"', '"Infos"')],
  ['a tabulator in a name', TRAP.replace('edge-gw', 'a\tb')],
  ['text behind it', `${TRAP}x`],
  ['an end that is missing', TRAP.slice(0, -1)],
  ['an end within a name', TRAP.slice(0, TRAP.indexOf('edge-1') + 3)],
  ['an end within a number', TRAP.slice(0, TRAP.indexOf('31425') + 2)],
  ['another version', TRAP.replace('"V1"', '"V0"')],
])('%s is rejected as it would be without shapes', (_, text) => {
  const result = learned(TRAP)(Buffer.from(text));
  expect(result.ok).toBe(false);
  expect(result).toEqual(readEvent(text));
});

test.each([
  ['a lone continuation byte', [0x80]],
  ['a cut sequence', [0xe6, 0x97]],
  ['an overlong form', [0xc0, 0xaf]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
  ['beyond the last code point', [0xf4, 0x90, 0x80, 0x80]],
  ['a byte of no encoding', [0xff]],
  ['Latin-1', [0xfc]],
])('%s is not UTF-8, in a text of a known shape and in any other', (_, wrong) => {
  const read = learned(TRAP);
  const [before, behind] = TRAP.split('edge-1') as [string, string];
  const broken = (name: Buffer) => read(Buffer.concat([Buffer.from(before), name, Buffer.from(behind)]));
  expect(broken(Buffer.from(wrong))).toMatchObject({ ok: false, code: 'invalid_utf8', path: '$' });
  expect(broken(Buffer.concat([Buffer.from('\ufffd'), Buffer.from(wrong)]))).toMatchObject({ code: 'invalid_utf8' });
  expect(read(Buffer.from(wrong))).toMatchObject({ ok: false, code: 'invalid_utf8', path: '$' });
  expect(broken(Buffer.from('\ufffd')).ok).toBe(true);
});

test('events are independent: changing one changes no other', () => {
  const read = learned(TRAP);
  const one = trapOf(read, TRAP);
  one.pid = 1;
  one.trap.type = 'Generic';
  expect(read(Buffer.from(TRAP))).toEqual(readEvent(TRAP));
});

test('repeated names share one string, and do not retain the record', () => {
  const read = learned(TRAP);
  const record = Buffer.from(TRAP);
  const before = read(record);
  record.fill(0);
  expect(before).toEqual(readEvent(TRAP));
});

test('texts may be adjacent in one piece of memory, or separate', () => {
  const texts = [0, 1, 2, 3].map((pid) => TRAP.replace('31425', String(pid)));
  const read = learned(TRAP);
  const together = Buffer.from(texts.join(''));
  let at = 0;
  for (const text of texts) {
    expect(read(together.subarray(at, at + text.length))).toEqual(readEvent(text));
    at += text.length;
    expect(read(Buffer.from(new Uint8Array(Buffer.from(text)).buffer))).toEqual(readEvent(text));
  }
});

test('the short dialect of signals holds for known shapes too', () => {
  const text = eventText({
    type: 'LinuxFatalSignal',
    level: 'Info',
    facility: 'Kern',
    signal: 'Segv',
    stack_dump: { RIP: '0033:0x7fd70f4f1eec' },
  });
  const read = createEventReader({ learnEvery: 1, signalDialect: 'short' });
  for (let turn = 0; turn < 3; turn += 1) {
    expect(read(Buffer.from(text))).toEqual(readEvent(text, { signalDialect: 'short' }));
  }
});

test('a sender of constantly new shapes stays within the memory limit, and later shapes are recognised again', () => {
  const read = createEventReader({ learnEvery: 1, maxShapes: 10, forgetAfter: 50 });
  const strange = (number: number) => TRAP.replace('"event":', `"field-${number}":true,"event":`);
  for (let number = 0; number < 30; number += 1) expect(read(Buffer.from(strange(number))).ok).toBe(true);
  expect(readByShape(read, strange(3))).toBe(true);
  expect(readByShape(read, strange(20))).toBe(false);
  expect(readByShape(read, TRAP)).toBe(false);
  for (let turn = 0; turn < 50; turn += 1) read(Buffer.from(TRAP));
  expect(readByShape(read, TRAP)).toBe(true);
  expect(readByShape(read, strange(3))).toBe(false);
  expect(readByShape(read, strange(3))).toBe(true);
});
