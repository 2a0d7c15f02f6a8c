import { splitRecords } from '#schemas/json/split.ts';
import type { SubmittedBatch } from '../ports.ts';
import { apiError } from './api-error.ts';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The events of a body, the bytes of each exactly as they came, also where they are not UTF-8. Throws 400 when there is none,
 * or when an array breaks off: then nothing is taken, because its sender will send the whole again.
 */
export function splitBody(body: Buffer): SubmittedBatch['items'] {
  const bytes = body.subarray(0, 3).equals(BYTE_ORDER_MARK) ? body.subarray(3) : body;
  // In Latin-1 one character is one byte, and what separates JSON values is ASCII: cutting it cuts the bytes.
  const { pieces, error } = splitRecords(bytes.toString('latin1'));
  if (error !== undefined) {
    throw apiError(
      'invalid_value',
      `the JSON array can't be read to its end: ${error.message} at byte ${error.position}`,
    );
  }
  if (pieces.length === 0) throw apiError('required', 'the body holds no event');
  return pieces.map(({ text }, index) => ({ index, text: Buffer.from(text, 'latin1') }));
}
