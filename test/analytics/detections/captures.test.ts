import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { readTimestamp } from '#schemas/events/timestamp.ts';

function captured(name: string): AcceptedEvent[] {
  const text = readFileSync(`test/fixtures/kmsg/${name}.kmsg`, 'utf8');
  return detectEventsFromText(text, { hostname: 'edge-1', bootTimeMs: 0 }).map((event) => {
    const time = readTimestamp(event.timestamp);
    if (typeof time === 'string') throw new Error(`${time}: ${event.timestamp}`);
    return { ok: true, event, time };
  });
}

const detections = (name: string): Detection[] => analyzeEvents(captured(name), DEFAULT_DETECTION_SETTINGS);

test.each([
  ['probe-ip-step2', 'instruction-pointer-probe', 'ip', 'edge-gw'],
  ['probe-plt-step16', 'instruction-pointer-probe', 'ip', 'edge-gw'],
  ['probe-ip-default-sysctl', 'instruction-pointer-probe', 'ip', 'edge-gw'],
  ['probe-stack-canary', 'stack-canary-probe', 'canary', 'edge-gw-ssp'],
])('%s is one %s of %s', (name, rule, register, procname) => {
  const found = detections(name);
  expect(found.map((d) => [d.rule.id, d.register, d.procname])).toEqual([[rule, register, procname]]);
});

test.each(['benign-crash-loop', 'assorted-faults'])('%s is nothing', (name) => {
  expect(detections(name)).toEqual([]);
});
