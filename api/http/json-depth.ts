import { MAX_REQUEST_DEPTH, nestsDeeperThan } from '#schemas/json/depth.ts';
import { type ApiError, apiError } from './api-error.ts';

/** The refusal of JSON text that nests too deep for whatever reads it, status 400; undefined: it may be read. `field`: where the text stood. */
export function refusalOfDeepJson(text: string, field?: string): ApiError | undefined {
  return nestsDeeperThan(text, MAX_REQUEST_DEPTH)
    ? apiError('invalid_value', `objects and lists are nested more than ${MAX_REQUEST_DEPTH} deep`, field)
    : undefined;
}
