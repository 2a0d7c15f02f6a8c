import type { FastifyRequest } from 'fastify';
import { byOf } from '#api/detections/triage/request-of-change.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';

/** The actor of a change of a case or a comment. */
export interface CaseChangedBy {
  /** See `actorOf`. */
  readonly actor: string;
  /** Id of the account. Null: the operator, or the product itself. */
  readonly userId: string | null;
  readonly username: string | null;
  readonly administrator: boolean;
  readonly origin: RequestOrigin;
}

/** Returns the caller of a request as the actor of a change. */
export function changedBy(request: FastifyRequest): CaseChangedBy {
  const { actor, username, userId = null, origin } = byOf(request);
  return { actor, username, userId, origin, administrator: request.caller?.role === 'admin' };
}
