import { ServiceConnectionError, type ServiceError, ServiceRateLimitError, ServiceServerError } from './errors.ts';

const FIRST_MS = 500;
const MAX_MS = 8000;
/** If `Retry-After` exceeds this time, the error is thrown without a retry. */
const PATIENCE_SECONDS = 60;

/**
 * Returns the time in ms to wait after the given attempt (from 1) before the next. Undefined: throw the error.
 *
 * 429 and 5xx are retried for every request. A broken connection is retried if the request is repeatable: GET, PUT, and
 * POSTs whose `Idempotency-Key` the service stores, so that nothing is executed twice. A time-out is not retried.
 */
export function retryDelay(
  repeatable: boolean,
  attempt: number,
  error: ServiceError,
  maxRetries: number,
): number | undefined {
  if (attempt > maxRetries || !passes(repeatable, error)) return undefined;
  const asked = error.retryAfter ?? 0;
  if (asked > PATIENCE_SECONDS) return undefined;
  const ceiling = Math.min(MAX_MS, FIRST_MS * 2 ** (attempt - 1));
  // Jitter, so that clients that failed together do not retry together.
  return asked * 1000 + (ceiling / 2) * (1 + Math.random());
}

function passes(repeatable: boolean, error: ServiceError): boolean {
  if (error instanceof ServiceConnectionError) return repeatable;
  return error instanceof ServiceRateLimitError || error instanceof ServiceServerError;
}
