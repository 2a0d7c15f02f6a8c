import { apiError } from './api-error.ts';
import type { Refusal } from './limits/refusal.ts';

/** Throws the refusal as the answer to the request; undefined passes. */
export function refuseWith(refusal: Refusal | undefined): void {
  if (refusal === undefined) return;
  throw apiError(refusal.code, refusal.message, undefined, {
    ...refusal.headers,
    'retry-after': String(refusal.retryAfterSeconds),
  });
}
