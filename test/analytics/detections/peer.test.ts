import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { abort, at, dump, hex, times, trap } from '#analytics/detections/rule-case.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { analyzeLikeReference } from '#test/support/reference-analyzer.ts';
import { seededRandom } from '#test/support/seeded-random.ts';

const ourRegisters = (events: readonly AcceptedEvent[]): (string | null)[] =>
  analyzeEvents(events, DEFAULT_DETECTION_SETTINGS).map((d) => d.register);
const referenceRegisters = (events: readonly AcceptedEvent[]) => analyzeLikeReference(events).map((f) => f.register);

type Order = 'up' | 'down' | 'shuffled';

function ordered(count: number, order: Order, random: () => number): number[] {
  const steps = times(count, (i) => (order === 'down' ? count - i : i));
  if (order !== 'shuffled') return steps;
  return steps
    .map((step) => ({ step, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ step }) => step);
}

/** No other events interleave: an attack on one service of a quiet host. */
const attack = fc.record({
  seed: fc.integer(),
  base: fc.integer({ min: 0x40_0000, max: 0x7fff_ffff }),
  count: fc.integer({ min: 3, max: 60 }),
  order: fc.constantFrom<Order>('up', 'down', 'shuffled'),
  pause: fc.constantFrom(0.02, 0.3, 2),
  noise: fc.constantFrom(0, 0, 0.1, 0.4),
});

describe('finds everything that the reference analyzer correctly finds', () => {
  test('instruction pointers', () => {
    let byReference = 0;
    fc.assert(
      fc.property(attack, fc.integer({ min: 1, max: 8 }), ({ seed, base, count, order, pause, noise }, step) => {
        const random = seededRandom(seed).next;
        const events = ordered(count, order, random).flatMap((n, i) => [
          at(i * pause, trap(base + n * step, { file: null, vmastart: null, pid: 100 + i })),
          ...(random() < noise ? [at(i * pause, trap(0x1000 + i * 0x1_0000, { procname: 'other', file: null }))] : []),
        ]);
        if (!referenceRegisters(events).includes('ip')) return;
        byReference += 1;
        expect(ourRegisters(events)).toContain('ip');
      }),
      { numRuns: 300 },
    );
    expect(byReference).toBeGreaterThan(100);
  });

  test.each(['RDI', 'RSI', 'RIP'])('%s', (register) => {
    let byReference = 0;
    fc.assert(
      fc.property(attack, ({ seed, base, count, order, pause, noise }) => {
        const random = seededRandom(seed).next;
        const events = ordered(count, order, random).flatMap((n, i) => [
          at(i * pause, dump({ PID: String(100 + i), [register]: hex(base + n) })),
          ...(random() < noise ? [at(i * pause, dump({ Comm: 'other', RDI: hex(i * 4096) }))] : []),
        ]);
        if (!referenceRegisters(events).includes(register)) return;
        byReference += 1;
        expect(ourRegisters(events)).toContain(register);
      }),
      { numRuns: 200 },
    );
    expect(byReference).toBeGreaterThan(40);
  });
});

describe('is not blinded by what blinds the reference analyzer', () => {
  const scan = (step: number, pause: number, between: (i: number) => AcceptedEvent[] = () => []) =>
    times(40, (i) => [at(i * pause, trap(0x40_1100 + step * i, { pid: 100 + i })), ...between(i)]).flat();

  test.each<[string, readonly AcceptedEvent[], string]>([
    [
      'one crash on its own stack after every probe',
      scan(4, 1, (i) => [at(i, trap(0x7ffc_0a5a_f5a8, { file: null }))]),
      'ip',
    ],
    [
      'thirty crashes of other programs after every probe',
      scan(4, 1, (i) => times(30, (n) => at(i, trap(0x9000 * n, { procname: `other-${n}`, file: null })))),
      'ip',
    ],
    ['one probe a minute', scan(4, 60), 'ip'],
    ['one probe in 20 minutes', scan(4, 1200), 'ip'],
    ['steps of 16 bytes', scan(16, 0.1), 'ip'],
    ['shuffled over 400 bytes', times(100, (i) => at(i, trap(0x40_1100 + 4 * ((i * 37) % 100)))), 'ip'],
    [
      'dumps without trap lines',
      times(40, (i) => at(i, dump({ RIP: `0033:0x${(0x40_1100 + 4 * i).toString(16)}` }))),
      'ip',
    ],
    [
      'another address layout for every crash',
      times(40, (i) => {
        const vmastart = 0x5500_0000_0000 + ((i * 7919) % 40) * 0x10_0000;
        return at(i, trap(vmastart + 0x100 + 4 * i, { vmastart }));
      }),
      'ip',
    ],
    [
      'RDI shuffled',
      ordered(60, 'shuffled', seededRandom(3).next).map((n, i) => at(i, dump({ RDI: hex(0x7f00_0000 + n) }))),
      'RDI',
    ],
    ['RDI one a minute', times(40, (i) => at(i * 60, dump({ RDI: hex(0x7f00_0000 + i) }))), 'RDI'],
    ['a canary guessed byte by byte', times(200, (i) => at(i / 20, abort(26_000, hex(0x7fd7_0f46_4740)))), 'canary'],
  ])('%s', (_, events, register) => {
    expect(referenceRegisters(events)).toEqual([]);
    expect(ourRegisters(events)).toEqual([register]);
  });
});

describe('is not fooled by what fools the reference analyzer', () => {
  test.each<[string, readonly AcceptedEvent[]]>([
    [
      'a pre-forking daemon that aborts in a loop, pids counting up',
      times(60, (i) => at(i, abort(5000 + i, hex(0x7f00_0000_1000)))),
    ],
    [
      'the same with dumps that lack the system call',
      times(60, (i) => at(i, dump({ PID: String(5000 + i), RDI: hex(5000 + i), RSI: hex(5000 + i) }, 'SIGIOT'))),
    ],
    ['tids next to pids', times(60, (i) => at(i, dump({ PID: String(5000 + i), RSI: hex(5001 + i) })))],
    ['two crash sites 5 bytes apart by turns', times(40, (i) => at(i, trap(0x40_1100 + 5 * (i % 2))))],
    ['a register that alternates by 1', times(40, (i) => at(i, dump({ RDI: hex(0x7f00_0000 + (i % 2)) })))],
  ])('%s', (_, events) => {
    expect(referenceRegisters(events)).not.toEqual([]);
    expect(ourRegisters(events)).toEqual([]);
  });
});
