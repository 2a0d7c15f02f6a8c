import type { FastifyRequest } from 'fastify';
import { actorOf, userOf } from '#api/http/access/caller.ts';
import { originOf } from '#api/http/origin.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';

/** Makes a change of a case or a comment. */
export interface CaseChangedBy {
  /** See `actorOf`. */
  readonly actor: string;
  /** Id of the account behind it; null: the operator, or the product itself. */
  readonly userId: string | null;
  readonly username: string | null;
  readonly administrator: boolean;
  readonly origin: RequestOrigin;
}

/** The caller of a request. */
export function changedBy(request: FastifyRequest): CaseChangedBy {
  const { caller } = request;
  return {
    actor: actorOf(caller),
    userId: (caller && userOf(caller)) ?? null,
    username: caller !== undefined && 'username' in caller ? caller.username : null,
    administrator: caller?.role === 'admin',
    origin: originOf(request),
  };
}
