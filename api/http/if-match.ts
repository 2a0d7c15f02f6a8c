import { z } from 'zod';
import { apiError } from './api-error.ts';

/** The headers of a change that may be bound to what was read; `what` the ETag is of, in words. */
export function ifMatchHeaders(what: string) {
  return z.looseObject({
    'if-match': z.string().max(1_000).optional().describe(`ETag of the ${what} that is to be changed`),
  });
}

/** The answer to a change that was made for what is no more: status 412, and nothing was changed. */
export function changedSinceRead() {
  return apiError('precondition_failed', 'it was changed since it was read: read it again', 'if-match');
}
