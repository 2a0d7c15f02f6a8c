import type { FastifyRequest } from 'fastify';
import { actorOf } from '#api/http/access/caller.ts';
import { originOf } from '#api/http/origin.ts';
import type { SharedBy } from '../teams.ts';

/** Returns the caller of a request as the actor of a change, for the audit log. */
export function sharedBy(request: FastifyRequest): SharedBy {
  return { actor: actorOf(request.caller), origin: originOf(request) };
}
