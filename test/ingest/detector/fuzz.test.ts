import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventJson } from '#ingest/detector/event-json.ts';
import { createKernelLogParser } from '#ingest/detector/kernel-log-parser.ts';
import { createLineSplitter } from '#ingest/detector/sources/line-splitter.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import { type SeededRandom, seededRandom } from '#test/support/seeded-random.ts';

const fixtures = new URL('../../fixtures/kmsg/', import.meta.url);
const captured = readdirSync(fixtures).flatMap((name) =>
  readFileSync(new URL(name, fixtures), 'utf8').trimEnd().split('\n'),
);
const samples = [
  ...captured.filter((_line, at) => at % 7 === 0),
  '[ 1234.567890] [    T77] x[7]: segfault at 0 ip 0000000000401005 sp 00007ffd00000000 error 4 in f[401000+1000]',
  '[Fri Jan  5 10:11:12 2024] traps: x[7] trap int3 ip:401000 sp:7ffd0 error:0 in f[401000+1000]',
  'kern  :warn  : 2024-01-05T10:11:12,345678+01:00 f: 12 callbacks suppressed',
  'Jan 05 10:11:12.345678 web-1 kernel: a: b: potentially unexpected fatal signal 6.',
  '<6>1 2024-01-05T10:11:12.345Z web-1 kernel - - - x[7]: unhandled exception: IABT (lower EL), ESR 0x0000000082000006, why in f[1000+1000]',
  '{"MESSAGE":"x[7]: segfault at 0 ip 0 sp 0 error 4","__REALTIME_TIMESTAMP":"1704449472345678","_HOSTNAME":"w","PRIORITY":"6"}',
  '2024-01-05T10:11:12+0100 web-1 kernel: x/7: potentially unexpected fatal signal 11.',
];
const PIECES = [
  '[',
  ']',
  ' in ',
  '\\x0a',
  '\\xff',
  ' error:',
  ' ip:',
  '18446744073709551616',
  '-1',
  '\u0000',
  '\ud800',
  '(null)',
  ': ',
  ';',
  ',',
  '9'.repeat(30),
];

function mutate(line: string, random: SeededRandom): string {
  let out = line;
  for (let times = random.between(0, 4); times > 0; times--) {
    const at = random.between(0, out.length);
    const kind = random.between(0, 5);
    if (kind === 0) out = out.slice(0, at) + String.fromCharCode(random.between(0, 0x2ff)) + out.slice(at + 1);
    else if (kind === 1) out = out.slice(0, at) + random.pick(PIECES) + out.slice(at);
    else if (kind === 2) out = out.slice(0, at);
    else if (kind === 3) out = out.slice(0, at) + out.slice(at + random.between(1, 20));
    else if (kind === 4) out = out.slice(0, at) + random.pick(samples).slice(random.between(0, 40));
    else out = out.replace(/\d/, String(random.between(0, 9)));
  }
  return out;
}

test.each([1, 2, 3, 4])('mutated and shuffled captures (seed %i): no crash, and every event is valid', (seed) => {
  const random = seededRandom(seed);
  const parser = createKernelLogParser({ hostname: seed % 2 === 0 ? null : 'h', referenceMs: 0 });
  let events = 0;
  let at = random.between(0, captured.length - 1);
  for (let line = 0; line < 8_000; line++) {
    // Consecutive lines of a capture keep dumps mostly whole. Jumps between captures interleave them.
    at = random.next() < 0.1 ? random.between(0, captured.length - 1) : (at + 1) % captured.length;
    const source = random.next() < 0.2 ? random.pick(samples) : (captured[at] as string);
    for (const { event } of parser.push(random.next() < 0.4 ? mutate(source, random) : source)) {
      events++;
      expect(readEvent(eventJson(event))).toMatchObject({ ok: true });
    }
  }
  for (const { event } of parser.flush()) expect(readEvent(eventJson(event))).toMatchObject({ ok: true });
  expect(events).toBeGreaterThan(100);
});

test('random bytes: no crash', () => {
  const random = seededRandom(99);
  const parser = createKernelLogParser({ hostname: null });
  const splitter = createLineSplitter();
  for (let round = 0; round < 300; round++) {
    const chunk = Buffer.from(Array.from({ length: random.between(0, 2000) }, () => random.between(0, 255)));
    for (const line of splitter.push(chunk)) parser.push(line);
  }
  parser.flush();
});

test.each([
  ['brackets', '[1] '],
  ['opening brackets', '['],
  ['pointers', ' ip:1 sp:1 error:1'],
  ['mappings', ' in [1+1]'],
  ['spaces', ' '],
  ['hexadecimal', 'a'],
  ['colons', ': '],
  ['escapes', '\\x41'],
  ['structured data', '[a b="c"]'],
  ['priorities', '<1>'],
  ['decoded priorities', 'kern  :warn  : '],
  ['JSON', '{"MESSAGE":['],
])('a hostile line of 64 KiB of %s', (_name, piece) => {
  const body = piece.repeat(Math.ceil(65_536 / piece.length));
  const parser = createKernelLogParser({ hostname: null });
  parser.push('a: b: potentially unexpected fatal signal 6.');
  for (const prefix of [
    '',
    '6,1,1,-;',
    '[    1.000000] ',
    '<6>1 - h kernel - - ',
    '<6>1 - h kernel - - [',
    'x[1]: segfault at 0 ip 0 sp 0 error 4',
    'x[1]: unhandled ',
    'CPU: 1 PID: 1 Comm: ',
    'Jan  5 10:11:12 h kernel: ',
  ]) {
    for (const suffix of [
      '',
      ': 5 callbacks suppressed',
      ' potentially unexpected fatal signal 6',
      ' error sp',
      '[1+1]x',
    ])
      parser.push(prefix + body + suffix);
  }
});

test('a line without an end is truncated at 64 KiB', () => {
  const splitter = createLineSplitter();
  const lines: string[] = [];
  for (let at = 0; at < 40; at++) lines.push(...splitter.push(Buffer.alloc(10_000, 97)));
  lines.push(...splitter.push(Buffer.from('tail\nnext\r\nlast')), ...splitter.end());
  expect(lines.map(({ length }) => length)).toEqual([65_536, 4, 4]);
  expect(lines.slice(1)).toEqual(['next', 'last']);
});
