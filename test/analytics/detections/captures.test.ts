import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { readTimestamp } from '#schemas/events/timestamp.ts';

function captured(name: string, bootTimeMs = 0): AcceptedEvent[] {
  const text = readFileSync(`test/fixtures/kmsg/${name}.kmsg`, 'utf8');
  return detectEventsFromText(text, { hostname: 'edge-1', bootTimeMs }).map((event) => {
    const time = readTimestamp(event.timestamp);
    if (typeof time === 'string') throw new Error(`${time}: ${event.timestamp}`);
    return { ok: true, event, time };
  });
}

const detections = (name: string, bootTimeMs = 0): Detection[] =>
  analyzeEvents(captured(name, bootTimeMs), DEFAULT_DETECTION_SETTINGS);

test.each([
  ['probe-ip-step2', 'instruction-pointer-probe', 'ip', 'edge-gw'],
  ['probe-plt-step16', 'instruction-pointer-probe', 'ip', 'edge-gw'],
  ['probe-ip-default-sysctl', 'instruction-pointer-probe', 'ip', 'edge-gw'],
  ['probe-stack-canary', 'stack-canary-probe', 'canary', 'edge-gw-ssp'],
])('%s is one %s of %s', (name, rule, register, procname) => {
  const found = detections(name);
  expect(found.map((d) => [d.rule.id, d.register, d.procname])).toEqual([[rule, register, procname]]);
});

test.each(['benign-crash-loop', 'assorted-faults'])('%s gives no detection', (name) => {
  expect(detections(name)).toEqual([]);
});

// Regression: a comparison ignored nanoseconds, so one capture gave 145 or 146 crashes, depending on its start within
// the second.
test.each(['probe-ip-step2', 'probe-plt-step16', 'probe-ip-default-sysctl', 'probe-stack-canary'])(
  '%s counts the same at any fraction of a second',
  (name) => {
    const counts = (bootTimeMs: number) =>
      detections(name, bootTimeMs).map((d) => [d.crashes, d.suppressedAtLeast, d.evidenceCount, d.valuesTotal]);
    const expected = counts(0);
    for (let ms = 100; ms < 1000; ms += 100) expect(counts(ms)).toEqual(expected);
  },
);

// Regression: for an attack that began between two crashes at an already known place, the crashes since then were
// counted as one.
test.each(['probe-ip-step2', 'probe-plt-step16'])('%s counts each process that crashed since it began', (name) => {
  const [found] = detections(name);
  const pids = captured(name).flatMap(({ event: { timestamp, event } }) => {
    const isLater = found !== undefined && timestamp.slice(0, 26) >= found.firstSeen.slice(0, 26);
    if (!isLater) return [];
    if (event.type === 'LinuxKernelTrap') return [String(event.pid)];
    return event.type === 'LinuxFatalSignal' ? [String(event.stack_dump.PID)] : [];
  });
  expect(found?.crashes).toBe(new Set(pids).size);
});

test.each(['probe-ip-step2', 'probe-plt-step16'])(
  'counts no crash of %s twice: a suppressed trap line whose dump was logged is one crash',
  (name) => {
    expect(captured(name).some(({ event }) => event.event.type === 'LinuxSuppressedCallback')).toBe(true);
    expect(detections(name)[0]).toMatchObject({ suppressedAtLeast: 0 });
  },
);
