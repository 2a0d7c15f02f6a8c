import { z } from 'zod';
import { apiError } from './api-error.ts';

/** The headers of a change that may depend on the state that was read. `what`: the object of the ETag, in words. */
export function ifMatchHeaders(what: string) {
  return z.looseObject({
    'if-match': z.string().max(1_000).optional().describe(`ETag of the ${what} that is to be changed`),
  });
}

/** The error for a change of an object that changed since it was read: status 412, and nothing is changed. */
export function changedSinceRead() {
  return apiError('precondition_failed', 'it was changed since it was read: read it again', 'if-match');
}
