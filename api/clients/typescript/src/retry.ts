import { ServiceConnectionError, type ServiceError, ServiceRateLimitError, ServiceServerError } from './errors.ts';

const FIRST_MS = 500;
const MAX_MS = 8000;
/** A longer Retry-After than this is thrown as an error at once. */
const PATIENCE_SECONDS = 60;

/**
 * ms to wait after the given attempt (from 1) before the next; undefined: throw the error. 429 and 5xx are retried for every request. A connection
 * that broke is retried when the request is repeatable: GET, PUT, and POSTs whose `Idempotency-Key` the service keeps, so that nothing runs twice.
 * A time-out is not retried.
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
  // Clients that failed together must not come back together.
  return asked * 1000 + (ceiling / 2) * (1 + Math.random());
}

function passes(repeatable: boolean, error: ServiceError): boolean {
  if (error instanceof ServiceConnectionError) return repeatable;
  return error instanceof ServiceRateLimitError || error instanceof ServiceServerError;
}
