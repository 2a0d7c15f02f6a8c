import type { Refusal } from '../platform/limits/refusal.ts';
import { type ApiError, apiError } from './api-error.ts';

/** What a limit refuses, as an error to throw. */
export function refuseWith({ code, message, retryAfterSeconds, headers }: Refusal): ApiError {
  return apiError(code, message, undefined, { ...headers, 'retry-after': String(retryAfterSeconds) });
}
