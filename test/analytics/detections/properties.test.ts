import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { at, dump, times, trap } from '#analytics/detections/rule-case.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { seededRandom } from '#test/support/seeded-random.ts';

const analyze = (events: Iterable<AcceptedEvent>) => analyzeEvents(events, DEFAULT_DETECTION_SETTINGS);

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

test('any scan is one detection, for any steps, order, pace, losses, layouts and other crashes', () => {
  const scan = fc.record({
    seed: fc.integer(),
    step: fc.integer({ min: 1, max: 16 }),
    count: fc.integer({ min: 20, max: 80 }),
    lost: fc.double({ min: 0, max: 0.3, noNaN: true }),
    inOrder: fc.boolean(),
    pause: fc.constantFrom(0.03, 1, 60),
    randomised: fc.boolean(),
    noise: fc.integer({ min: 0, max: 6 }),
  });
  fc.assert(
    fc.property(scan, ({ seed, step, count, lost, inOrder, pause, randomised, noise }) => {
      const random = seededRandom(seed).next;
      const addresses = times(count, (i) => 0x180 + i * step).filter(() => random() >= lost);
      const probes = inOrder ? addresses : shuffle(addresses, random);
      const events = probes.flatMap((offset, i) => {
        const vmastart = randomised ? 0x5500_0000_0000 + Math.floor(random() * 2 ** 20) * 4096 : 0x40_1000;
        const own = at(i * pause, trap(vmastart + offset, { vmastart, pid: 100 + i }));
        const others = times(Math.floor(random() * noise), (n) =>
          at(
            i * pause,
            trap(Math.floor(random() * 2 ** 47), { procname: n % 2 === 0 ? 'edge-gw' : `other-${n}`, file: null }),
          ),
        );
        return shuffle([own, ...others], random);
      });
      expect(analyze(events).map((d) => [d.rule.id, d.file])).toEqual([['instruction-pointer-probe', 'edge-gw']]);
    }),
    { numRuns: 200 },
  );
});

test('crash loops of any length give no detection: a few sites far apart, or two close together', () => {
  const loop = fc.record({
    seed: fc.integer(),
    sites: fc.integer({ min: 1, max: 12 }),
    together: fc.integer({ min: 1, max: 16 }),
    withDumps: fc.boolean(),
  });
  fc.assert(
    fc.property(loop, ({ seed, sites, together, withDumps }) => {
      const random = seededRandom(seed).next;
      const places = [0x40_1000];
      while (places.length < sites) places.push((places.at(-1) as number) + 65 + Math.floor(random() * 300));
      places.push((places.at(-1) as number) + together);
      const events = times(120, (i) => {
        const ip = places[Math.floor(random() * places.length)] as number;
        const line = at(i * 7, trap(ip, { pid: 100 + i }));
        if (!withDumps) return [line];
        return [
          line,
          at(i * 7, dump({ PID: String(100 + i), RIP: `0033:0x${ip.toString(16)}`, RDI: (i % 4).toString(16) })),
        ];
      }).flat();
      expect(analyze(events)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});
