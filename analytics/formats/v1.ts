import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import type { Format } from './format.ts';
import { rawLine } from './raw-line.ts';

/** The event format of the detectors itself: an event is its text as it came; a detection is the RegisterProbe event it publishes, if it does. */
export const v1: Format = {
  name: 'v1',
  contentType: 'application/x-ndjson',
  terminator: '\n',
  event: (record) => rawLine(record.raw),
  detection: (detection) => (detection.event === null ? undefined : stringifyExact(detection.event)),
};
