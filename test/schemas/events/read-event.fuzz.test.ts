import { expect, test } from 'vitest';
import { decodeRecord } from '#ingest/pipeline/decode.ts';
import { createEventReader } from '#schemas/events/event-reader.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { REJECTIONS } from '#schemas/rejection-codes.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { mutateText } from './mutate-text.ts';
import { eventText, TRAP_EVENT } from './sample-event.ts';

const SEEDS: readonly string[] = [
  JSON.stringify(TRAP_EVENT),
  eventText({
    type: 'LinuxFatalSignal',
    level: 'Info',
    facility: 'Kern',
    signal: 'SIGSEGV',
    stack_dump: { RIP: '0033:0x7fd70f4f1eec', 'a/b~c': '0000000000000000' },
  }),
  eventText({
    type: 'RegisterProbe',
    procname: 'p',
    register: 'ip',
    message: 'm',
    justification: { FullEvents: [TRAP_EVENT, TRAP_EVENT] },
  }),
];
test('no mutated event throws, and an accepted event survives being written and read', () => {
  const random = seededRandom(20260301);
  let accepted = 0;
  for (let run = 0; run < 40_000; run++) {
    const text = mutateText(random.pick(SEEDS), random);
    const result = readEvent(text, { signalDialect: random.pick(['v1', 'short']) });
    if (result.ok) {
      accepted++;
      const written = stringifyExact(result.event);
      const again = readEvent(written);
      expect(again.ok && stringifyExact(again.event)).toBe(written);
    } else expect(Object.keys(REJECTIONS)).toContain(result.code);
  }
  // Both outcomes occurred.
  expect(accepted).toBeGreaterThan(1000);
  expect(accepted).toBeLessThan(39_000);
});

test('no bytes throw', () => {
  const random = seededRandom(7);
  const seeds = SEEDS.map((text) => Buffer.from(text));
  const read = createEventReader();
  for (let run = 0; run < 40_000; run++) {
    const bytes =
      run % 2 === 0
        ? Buffer.from(Array.from({ length: random.between(0, 40) }, () => random.between(0, 255)))
        : Buffer.from(random.pick(seeds));
    if (run % 2 === 1)
      for (let i = random.between(1, 5); i > 0; i--)
        bytes[random.between(0, bytes.length - 1)] = random.between(0, 255);
    const decoded = decodeRecord(bytes, { maxBytes: 1024 * 1024 });
    if (decoded.ok) read(decoded.payload);
  }
});

test('no text of a megabyte takes long', () => {
  const million = 1_000_000;
  const trap = JSON.stringify(TRAP_EVENT);
  const inEvent = (json: string) => trap.replace('{', `{"unknown":${json},`);
  const hostile: Record<string, string> = {
    'one long number': inEvent('9'.repeat(million)),
    'one long fraction': inEvent(`0.${'1'.repeat(million)}`),
    'digits in a string': inEvent(`"${'1'.repeat(million)}"`),
    'a 64-bit field with a million zeros': trap.replace(/"ip":\d+/, `"ip":1.${'0'.repeat(million)}`),
    'a 64-bit field beyond every exponent': trap.replace(/"ip":\d+/, `"ip":1e${'9'.repeat(million)}`),
    'short runs of digits in strings': inEvent(JSON.stringify(Array(million / 20).fill('123456789012345678'))),
    'many long numbers': inEvent(
      `[${Array(million / 20)
        .fill('12345678901234567890')
        .join(',')}]`,
    ),
    'duplicate keys': inEvent(`{${Array(33_000).fill('"a":12345678901234567890').join(',')}}`),
    'many wrong fields': eventText({
      type: 'RegisterProbe',
      procname: 'p',
      register: 'ip',
      message: 'm',
      justification: { FullEvents: Array(2000).fill({ ...TRAP_EVENT, event: { ...TRAP_EVENT.event, ip: 2n ** 64n } }) },
    }),
    backslashes: inEvent(`"${'\\\\'.repeat(million / 2)}"`),
    'white space': `${' '.repeat(million)}${trap}`,
    'a long key': inEvent(`{"${'k'.repeat(million)}":18446744073709551616}`),
    'a long timestamp': trap.replace('.123456789', `.${'9'.repeat(million)}`),
    openers: inEvent(`[${'{},'.repeat(333_000)}1]`),
  };
  // A reader with quadratic time would exceed the timeout of the test.
  for (const text of Object.values(hostile)) readEvent(text);
});
