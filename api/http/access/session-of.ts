import { apiError } from '../api-error.ts';
import type { Caller, SessionCaller } from './caller.ts';

/** The session of a request. Throws 401 for a caller of another kind. */
export function sessionOf(caller: Caller | undefined): SessionCaller {
  if (caller?.kind !== 'session') throw apiError('unauthorized', 'a session is needed');
  return caller;
}
