import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import { storableText } from '#schemas/api/storable-text.ts';

export const READ = { access: { by: 'key-or-session', scope: 'workflows:read' } } as const;
/** For the state of an execution, which clients poll. */
export const POLL = { ...READ, limiting: 'poll' } as const;
export const RUN = { access: { by: 'key-or-session', scope: 'workflows:run' } } as const;
export const WRITE = { access: { by: 'key-or-session', scope: 'workflows:write' } } as const;

export function noSuchExecution() {
  return apiError('not_found', 'there is no such execution');
}

/** Path parameter of the routes of one execution. */
export const executionParams = z.strictObject({
  executionId: storableText(100).describe('Id (exec_…) of the execution').meta({ example: 'exec_01k0example' }),
});
