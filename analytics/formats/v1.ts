import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import type { Format } from './format.ts';
import { rawLine } from './raw-line.ts';

/**
 * The event format of detectors. An event is its received text. A detection is the RegisterProbe event that it
 * publishes, if any.
 */
export const v1: Format = {
  name: 'v1',
  contentType: 'application/x-ndjson',
  terminator: '\n',
  event: (record) => rawLine(record.raw),
  detection: (detection) => (detection.event === null ? undefined : stringifyExact(detection.event)),
};
