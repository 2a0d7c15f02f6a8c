import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import { createLineReader } from '#ingest/detector/lines/line-reader.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { parseTimestamp } from '#schemas/events/timestamp.ts';
import type { RivalCapture, TimedEvent, TimedLine } from './rival.ts';

/** Reads a capture of a kernel log. Returns its lines and events. */
export function readRivalCapture(file: string): RivalCapture & { readonly accepted: readonly AcceptedEvent[] } {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const accepted = detectEventsFromText(text, { hostname: null, bootTimeMs: 0 }).flatMap((event): AcceptedEvent[] => {
    const time = parseTimestamp(event.timestamp);
    return time === undefined ? [] : [{ ok: true, event, time }];
  });
  return { lines: timedLines(text), events: timedEvents(accepted), accepted };
}

function timedLines(text: string): TimedLine[] {
  const reader = createLineReader(0);
  let at = Number.NEGATIVE_INFINITY;
  return text.split('\n').flatMap((raw) => {
    const line = reader.read(raw);
    if (line === null) return [];
    const { monotonicUs, realtime } = line;
    at = Math.max(at, realtime === null ? (monotonicUs ?? 0) / 1e6 : Date.parse(realtime) / 1e3);
    return [{ at, text: line.text }];
  });
}

function timedEvents(accepted: readonly AcceptedEvent[]): TimedEvent[] {
  let at = Number.NEGATIVE_INFINITY;
  return accepted.map(({ event: { event }, time }) => {
    at = Math.max(at, time.seconds + time.nanos / 1e9);
    return { at, event };
  });
}
