import { apiError } from './api-error.ts';
import type { Refusal } from './limits/refusal.ts';

/** Throws the refusal as an error response. Does nothing for undefined. */
export function refuseWith(refusal: Refusal | undefined): void {
  if (refusal === undefined) return;
  throw apiError(refusal.code, refusal.message, undefined, {
    ...refusal.headers,
    'retry-after': String(refusal.retryAfterSeconds),
  });
}
