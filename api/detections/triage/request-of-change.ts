import type { FastifyRequest } from 'fastify';
import { actorOf, userOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import { originOf } from '#api/http/origin.ts';
import { type ChangedBy, NoSuchAnalyst } from './change-decisions.ts';

/** Returns the caller of a request as the history and the audit log record it. */
export function byOf(request: FastifyRequest): ChangedBy {
  const { caller } = request;
  const username = caller !== undefined && 'username' in caller ? caller.username : null;
  const userId = (caller && userOf(caller)) ?? null;
  return { actor: actorOf(caller), username, userId, origin: originOf(request) };
}

/** Throws a 400 for an assignee that does not exist. `field` is the location in the request. */
export function refuseAssignee(field: string) {
  return (error: unknown): never => {
    if (error instanceof NoSuchAnalyst) throw apiError('invalid_value', error.message, field);
    throw error;
  };
}
