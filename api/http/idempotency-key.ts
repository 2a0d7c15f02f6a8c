import type { IncomingHttpHeaders } from 'node:http';
import { apiError } from './api-error.ts';

const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/**
 * Returns the idempotency key of a request. A request that is repeated with the same key within 24 hours is executed
 * once. Throws a 400 for an invalid key.
 */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && PRINTABLE.test(key)) return key;
  throw apiError('invalid_value', 'must be 1 to 255 printable characters', 'Idempotency-Key');
}
