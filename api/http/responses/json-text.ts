import { MAX_REQUEST_DEPTH, nestsDeeperThan } from '#schemas/json/depth.ts';
import { type ApiError, apiError } from '../api-error.ts';

/**
 * Returns the refusal (400) of JSON text that exceeds the nesting limit or has half of a surrogate pair. Undefined for
 * other text, also if it is not JSON. `field` names the field that contains the text.
 */
export function refusalOfJson(text: string, field?: string): ApiError | undefined {
  if (nestsDeeperThan(text, MAX_REQUEST_DEPTH))
    return apiError('invalid_value', `objects and lists are nested more than ${MAX_REQUEST_DEPTH} deep`, field);
  const half = loneSurrogate(text);
  if (half !== undefined)
    return apiError('invalid_value', `${half} is half of a surrogate pair and no character (RFC 7493, 2.1)`, field);
  return undefined;
}

const HALF = /\\u[dD][89a-fA-F]/;
/** Consumes every escape, so that `\\ud800` (a backslash and letters) does not count. The group has a half without the other. */
const ESCAPES = /\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)/gs;

/**
 * Returns the first escape of a lone surrogate. RFC 8259 leaves its meaning open, RFC 7493 (I-JSON) forbids it, and
 * neither UTF-8 nor PostgreSQL can hold it. NUL is a character and permitted; fields that cannot store it refuse it.
 */
function loneSurrogate(text: string): string | undefined {
  if (!HALF.test(text)) return undefined;
  for (const [, half] of text.matchAll(ESCAPES)) if (half !== undefined) return `\\${half}`;
  return undefined;
}
