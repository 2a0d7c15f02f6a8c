import { REJECTIONS, type RejectionReason } from '../rejection-codes.ts';
import type { Rejection } from './accepted.ts';

/**
 * Creates a rejection with the message of its code. `detail` describes the expected value. It must not contain values
 * of the record, because messages appear in logs and responses.
 */
export function reject(code: RejectionReason, path = '$', detail?: string): Rejection {
  const { message } = REJECTIONS[code];
  return { ok: false, code, path, message: detail === undefined ? message : `${message}: ${detail}` };
}
