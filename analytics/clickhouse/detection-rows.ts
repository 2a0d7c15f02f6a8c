import type { Detection } from '#schemas/detection.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import { parseTimestamp } from '#schemas/events/timestamp.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import type { DetectionTableRow } from './tables/detection-records.ts';

/**
 * Returns a detection as a row of `detection_records`. Omits status, verdict, assignee and note, which the tracker does
 * not set.
 */
export function detectionRow(detection: Detection, receivedMs: number): DetectionTableRow {
  return {
    detection,
    firstSeen: instantOf(detection.firstSeen),
    lastSeen: instantOf(detection.lastSeen),
    event: detection.event === null ? null : stringifyExact(detection.event),
    receivedMs,
  };
}

function instantOf(text: string): Instant {
  const instant = parseTimestamp(text);
  if (instant === undefined) throw new TypeError('firstSeen and lastSeen of a detection are RFC 3339 times');
  return instant;
}
