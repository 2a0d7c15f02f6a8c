import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { apiPath, idField } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'Run a workflow',
  description:
    'Starts an execution of a workflow and returns its id. A workflow can change other systems: ask the user before. get_execution returns the outcome.',
  scope: 'workflows:run',
  effect: 'starts',
  input: z.strictObject({
    id: idField('the workflow, or its name'),
    input: z.record(z.string(), z.unknown()).default({}).describe('Input of the workflow'),
    version: z.string().min(1).max(100).optional().describe('Id or tag of a version; default: the current one'),
    waitSeconds: z.int().min(0).max(60).default(0).describe('Seconds to wait for the outcome, at most 60'),
    idempotencyKey: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters without spaces')
      .optional()
      .describe('With the same key, a repeated call within 24 hours returns the same execution'),
  }),
  request: ({ id, input, version, waitSeconds, idempotencyKey }) => ({
    method: 'POST',
    path: apiPath`/api/v1/workflows/${id}/run`,
    query: { version, wait_for_completion: waitSeconds === 0 ? undefined : waitSeconds },
    body: { input },
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  }),
});
