import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import type { OutputMessage } from './port.ts';

/** The same for the same message in every delivery: detection, revision and cause. No two tests are the same. */
export function messageId({ detection, cause, at }: OutputMessage): string {
  return `${detection.id}:${detection.revision}:${cause}${cause === 'test' ? `:${at.getTime()}` : ''}`;
}

/**
 * What JSON receivers get, on one line: `{id, type, time, test, detection}`. `type` is `detection.opened`, `detection.grown`, `detection.closed` or
 * `detection.test`; `detection` is the object of GET /api/detections/{id}, its 64-bit integers with every digit.
 */
export function messageJson(message: OutputMessage): string {
  return stringifyExact({
    id: messageId(message),
    type: `detection.${message.cause}`,
    time: message.at.toISOString(),
    test: message.cause === 'test',
    detection: message.detection,
  });
}
