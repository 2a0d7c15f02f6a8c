import { MAX_REQUEST_DEPTH, nestsDeeperThan } from '#schemas/json/depth.ts';
import { type ApiError, apiError } from './api-error.ts';

/**
 * Returns the refusal (400) of JSON text that exceeds the nesting limit. Undefined if the depth is within the limit.
 * `field` names the field that contains the text.
 */
export function refusalOfDeepJson(text: string, field?: string): ApiError | undefined {
  return nestsDeeperThan(text, MAX_REQUEST_DEPTH)
    ? apiError('invalid_value', `objects and lists are nested more than ${MAX_REQUEST_DEPTH} deep`, field)
    : undefined;
}
