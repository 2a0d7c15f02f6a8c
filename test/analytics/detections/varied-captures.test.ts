import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { readTimestamp } from '#schemas/events/timestamp.ts';

const FOLDER = 'test/fixtures/kmsg-varied';

/** The expected result: one rule of `any` must fire for the process; if `any` is empty, no rule may fire. */
interface Truth {
  readonly any: readonly string[];
  readonly note: string;
  readonly procname?: string;
  /** Any process name matches. */
  readonly any_procname?: boolean;
  /** The log supports only one statement: a burst of suppressed messages. */
  readonly burst_ok?: boolean;
}

const TRUTHS = Object.entries(JSON.parse(readFileSync(`${FOLDER}/expect.json`, 'utf8')) as Record<string, Truth>);

function events(name: string): AcceptedEvent[] {
  const text = gunzipSync(readFileSync(`${FOLDER}/${name}.kmsg.gz`)).toString();
  return detectEventsFromText(text, { hostname: 'edge-1', bootTimeMs: 1_770_000_000_000 }).map((event) => {
    const time = readTimestamp(event.timestamp);
    if (typeof time === 'string') throw new Error(`${time}: ${event.timestamp}`);
    return { ok: true, event, time };
  });
}

const detections = (from: readonly AcceptedEvent[]): Detection[] => analyzeEvents(from, DEFAULT_DETECTION_SETTINGS);

describe.each(TRUTHS)('%s', (name, { any, procname, any_procname, burst_ok, note }) => {
  test(note, () => {
    const found = detections(events(name));
    const isBurst = ({ rule }: Detection) => rule.id === 'suppressed-crash-burst';
    if (any.length === 0) {
      expect(found.filter((detection) => !isBurst(detection))).toEqual([]);
      return;
    }
    const right = found.filter((d) => any.includes(d.rule.id) && (any_procname === true || d.procname === procname));
    expect(burst_ok === true && found.some(isBurst) ? 1 : right.length).toBeGreaterThan(0);
  });

  test('delivering it twice changes nothing', () => {
    const once = events(name);
    expect(detections([...once, ...once])).toEqual(detections(once));
  });

  test('delivering every line twice changes nothing', () => {
    const once = events(name);
    expect(detections(once.flatMap((event) => [event, event]))).toEqual(detections(once));
  });
});
