import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventReader } from '#schemas/events/event-reader.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { arbEventText, arbEventV1 } from '#test/support/arbitrary-events.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { mutateText } from './mutate-text.ts';
import { mutationsOf } from './mutations.ts';
import { TRAP_EVENT } from './sample-event.ts';

test('one reader gives the same result for events in any order as for each event alone', () => {
  const read = createEventReader({ learnEvery: 1, maxShapes: 400, forgetAfter: 300 });
  fc.assert(
    fc.property(arbEventText(), arbEventV1(1), fc.nat(), (spaced, event, choice) => {
      const mutations = mutationsOf(event);
      const mutation = mutations[choice % mutations.length];
      for (const text of [spaced, stringifyExact(event), spaced, mutation?.text ?? '']) {
        expect(read(Buffer.from(text))).toEqual(readEvent(text));
      }
    }),
    { numRuns: 400 },
  );
});

const TRAP = JSON.stringify(TRAP_EVENT);
const SIGNAL = JSON.stringify({
  ...TRAP_EVENT,
  event: {
    type: 'LinuxFatalSignal',
    level: 'Info',
    facility: 'Kern',
    signal: 'SIGSEGV',
    stack_dump: { Comm: 'edge-gw', PID: '31425', RIP: '0033:0x7fd70f4f1eec', RAX: '0000000000000000' },
  },
});
const COUNT = JSON.stringify({
  ...TRAP_EVENT,
  event: {
    type: 'LinuxSuppressedCallback',
    level: 'Info',
    facility: 'Kern',
    function_name: 'show_signal_msg',
    count: 7,
  },
});
/** The last event has unknown members, and its type follows the members that depend on it. */
const KNOWN = [
  TRAP,
  TRAP.replace('30.123456789+01:00', '30.123456789Z'),
  SIGNAL,
  COUNT,
  `{"seq":12,"event":{"note":"x","key":"a","expected_value":"1","observed_value":"0","type":"ConfigMismatch"},"timestamp":"2026-03-01T08:15:30Z","version":"V1"}`,
];

test('a changed text of a known shape is read with the same result as without shapes', () => {
  const read = createEventReader({ learnEvery: 1, maxShapes: KNOWN.length });
  for (const text of KNOWN) expect(read(Buffer.from(text))).toEqual(readEvent(text));
  const random = seededRandom(20_261_122);
  const anyByte = () => String.fromCharCode(random.between(0, 127));
  let accepted = 0;
  for (let run = 0; run < 20_000; run += 1) {
    const known = random.pick(KNOWN);
    const at = random.between(0, known.length - 1);
    const text =
      run % 2 === 0
        ? mutateText(known, random)
        : known.slice(0, at) +
          random.pick([anyByte(), '0', '9', '"', 'a', anyByte() + anyByte()]) +
          known.slice(at + 1);
    const result = read(Buffer.from(text));
    // Writing as UTF-8 replaces lone surrogates.
    expect(result).toEqual(readEvent(Buffer.from(text).toString()));
    if (result.ok) accepted += 1;
  }
  // Both outcomes occurred.
  expect(accepted).toBeGreaterThan(1_500);
  expect(accepted).toBeLessThan(18_500);
});
