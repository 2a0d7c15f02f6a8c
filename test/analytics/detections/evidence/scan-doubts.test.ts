import { describe, expect, it, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { isDoubtDue } from '#analytics/detections/evidence/scan-doubts.ts';
import { abort, at, dump, hex, random, times, trap } from '#analytics/detections/rule-case.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';

const TEXT = 0x40_1000;
const WIDE = { vmasize: 0x7_a000 };

/** Returns severity and message of each detection of a rule after all events. */
const judged = (rule: string, events: readonly AcceptedEvent[]) =>
  analyzeEvents(events, DEFAULT_DETECTION_SETTINGS).flatMap((found) =>
    found.rule.id === rule ? [{ severity: found.severity, message: found.message }] : [],
  );

/** A scan of 48 places with one crash each. */
const scan = times(48, (i) => at(10 * i, trap(TEXT + 0x200 * ((i * 37) % 700), { ...WIDE, pid: 100 + i })));

/** Crashes of a program with this name at its own places. */
const program = (name: string, first: number, offsets: readonly number[]): AcceptedEvent[] =>
  offsets.map((offset, i) =>
    at(
      first + 40 * i,
      trap(0x5555_0000_0000 + offset, {
        procname: name,
        file: name,
        vmastart: 0x5555_0000_0000,
        vmasize: 0x10_0000,
        pid: 9_000 + first + i,
      }),
    ),
  );

test('evaluates doubts at each eighth crash, and in a long attack after each further eighth', () => {
  const due = (to: number) => times(to, (i) => i + 1).filter(isDoubtDue);
  expect(due(64)).toEqual([8, 16, 24, 32, 40, 48, 56, 64]);
  expect(due(100_000).length).toBeLessThan(100);
  expect(due(100_000).at(-1)).toBeGreaterThan(90_000);
});

describe('a scan by the rule for instruction pointers', () => {
  const severityWith = (others: readonly AcceptedEvent[]) =>
    judged('instruction-pointer-probe', [...others, ...scan]).map(({ severity }) => severity);

  it('has high severity alone', () => {
    expect(severityWith([])).toEqual(['high']);
  });

  it('is one level lower if five other programs crash at random places', () => {
    const others = times(5, (n) => program(`tool-${n}`, n, [0x1_0000 * n, 0x4_0000 + 0x777 * n])).flat();
    expect(severityWith(others)).toEqual(['medium']);
    expect(judged('instruction-pointer-probe', [...others, ...scan])[0]?.message).toContain('Several other programs');
  });

  it('keeps its severity with four, or if the others are crash loops', () => {
    const four = times(4, (n) => program(`tool-${n}`, n, [0x1_0000 * n, 0x4_0000 + 0x777 * n])).flat();
    const loops = times(9, (n) => program(`tool-${n}`, n, [0x888, 0x888, 0x888])).flat();
    expect(severityWith(four)).toEqual(['high']);
    expect(severityWith(loops)).toEqual(['high']);
  });

  it('keeps its severity if processes only rename themselves', () => {
    const renamed = times(9, (n) =>
      at(
        n,
        trap(0x7f11_0000_0000 + n, { procname: `kid-${n}`, file: null, vmastart: null, vmasize: null, pid: 500 + n }),
      ),
    );
    expect(severityWith(renamed)).toEqual(['high']);
  });

  it('in small steps has medium severity while each execution maps the file elsewhere', () => {
    const steps = (moves: boolean) =>
      times(40, (i) => {
        const base = 0x5555_0000_0000 + (moves ? i * 0x1234_5000 : 0);
        const fields = { pid: 100 + i, vmastart: base, vmasize: 0x8000, sp: 0x7ffc_0000_1000 + i * 2 ** 26 };
        return at(5 * i, trap(base + 0x1000 + 7 * ((i * 37) % 40), fields));
      });
    const severity = (moves: boolean) =>
      judged('instruction-pointer-probe', steps(moves)).map(({ severity: found }) => found);
    expect(severity(true)).toEqual(['medium']);
    // A program at a fixed address has a new stack in each execution, but its text has a known address.
    expect(severity(false)).toEqual(['high']);
  });

  it('has low severity once the crashes return to their places', () => {
    const again = (round: number) =>
      times(48, (i) =>
        at(600 * round + 10 * i, trap(TEXT + 0x200 * ((i * 37) % 700), { ...WIDE, pid: 1_000 * round + i })),
      );
    const rounds = (count: number) =>
      judged('instruction-pointer-probe', [...scan, ...times(count, (n) => again(n + 1)).flat()]);
    // Trying every place twice doubles the cost for the attacker and does not evade the rule.
    expect(rounds(1).map(({ severity }) => severity)).toEqual(['high']);
    expect(rounds(3).map(({ severity }) => severity)).toEqual(['low']);
    expect(rounds(3)[0]?.message).toContain('come back to their places');
  });

  it('keeps its severity when a crash loop begins at three of its places', () => {
    const loops = times(300, (i) => at(600 + i, trap(TEXT + 0x200 * (i % 3), { ...WIDE, pid: 5_000 + i })));
    expect(judged('instruction-pointer-probe', [...scan, ...loops]).map(({ severity }) => severity)).toEqual(['high']);
  });
});

describe('aborts at random times', () => {
  const aborts = (() => {
    let t = 0;
    return times(160, (i) => {
      t -= 20 * Math.log(1 - random(i));
      return at(t, abort(100 + i, hex(0x7f00_1234_0740), 'parser'));
    });
  })();
  const faults = (places: number) =>
    times(4 * places, (i) =>
      at(
        15 * i,
        dump({
          Comm: 'parser',
          PID: String(7_000 + i),
          RIP: `0033:0x${(0x5555_0000_0000 + 0x3000 * (i % places)).toString(16)}`,
          FS: hex(0x7f00_1234_0740),
        }),
      ),
    );
  const mapping = program('parser', 0, [0x9_0000]);
  const severities = (events: readonly AcceptedEvent[]) =>
    judged(
      'stack-canary-probe',
      [...mapping, ...events].sort((a, b) => a.time.seconds - b.time.seconds),
    ).map(({ severity }) => severity);

  it('have medium severity, and low severity if the program returns to eight other faults', () => {
    expect(severities(aborts)).toEqual(['medium']);
    expect(severities([...faults(3), ...aborts])).toEqual(['medium']);
    expect(severities([...faults(9), ...aborts])).toEqual(['low']);
  });
});
