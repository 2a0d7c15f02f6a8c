import { z } from 'zod';
import { apiError } from '../api-error.ts';

/** Header schema of a change that can depend on the state that the client read. `what` names the object of the ETag. */
export function ifMatchHeaders(what: string) {
  return z.looseObject({
    'if-match': z.string().max(1_000).optional().describe(`ETag of the ${what} to change`),
  });
}

/** Returns the error for an object that changed after the client read it: status 412, and nothing is changed. */
export function changedSinceRead() {
  return apiError('precondition_failed', 'it was changed since it was read: read it again', 'if-match');
}
