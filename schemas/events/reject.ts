import { REJECTIONS, type RejectionReason } from '../rejection-codes.ts';
import type { Rejection } from './accepted.ts';

/**
 * A refusal in the words of the catalogue. `detail` says what was expected; it never carries a value of the record, because
 * messages end up in logs and answers.
 */
export function reject(code: RejectionReason, path = '$', detail?: string): Rejection {
  const { message } = REJECTIONS[code];
  return { ok: false, code, path, message: detail === undefined ? message : `${message}: ${detail}` };
}
