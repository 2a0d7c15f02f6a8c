import { apiError } from '../api-error.ts';
import type { Caller, SessionCaller } from './caller.ts';

/** Returns the session of a request. Throws a 401 for any other kind of caller. */
export function sessionOf(caller: Caller | undefined): SessionCaller {
  if (caller?.kind !== 'session') throw apiError('unauthorized', 'a session is needed');
  return caller;
}
