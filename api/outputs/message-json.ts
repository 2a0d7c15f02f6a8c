import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import type { OutputMessage } from './port.ts';

/**
 * Returns the id of a message, which is the same in every delivery: detection, revision and cause. Each test has a
 * different id.
 */
export function messageId({ detection, cause, at }: OutputMessage): string {
  return `${detection.id}:${detection.revision}:${cause}${cause === 'test' ? `:${at.getTime()}` : ''}`;
}

/**
 * Returns the message for JSON receivers on one line: `{id, type, time, test, detection}`. `type` is
 * `detection.opened`, `detection.grown`, `detection.closed` or `detection.test`. `detection` is the object of GET
 * /api/detections/{id}, with all digits of its 64-bit integers.
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
