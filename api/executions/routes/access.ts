import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { userOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import { storableText } from '#schemas/api/storable-text.ts';

export const READ = { access: { by: 'key-or-session', scope: 'workflows:read' } } as const;
/** Of the state of an execution, which clients poll. */
export const POLL = { ...READ, limiting: 'poll' } as const;
export const RUN = { access: { by: 'key-or-session', scope: 'workflows:run' } } as const;
export const WRITE = { access: { by: 'key-or-session', scope: 'workflows:write' } } as const;

/** The caller, as visibility rules see it. */
export function viewerOf({ caller }: Pick<FastifyRequest, 'caller'>): Viewer {
  if (caller === undefined) throw apiError('unauthorized', 'a valid key or session is needed');
  return { userId: userOf(caller), administrator: caller.role === 'admin' };
}

export function noSuchExecution() {
  return apiError('not_found', 'there is no such execution');
}

/** The path parameter of the routes of one execution. */
export const executionParams = z.strictObject({
  executionId: storableText(100).describe('Id (exec_…) of the execution').meta({ example: 'exec_01k0example' }),
});
