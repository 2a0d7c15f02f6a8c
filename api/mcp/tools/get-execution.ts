import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { apiPath, idField } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'Read an execution',
  description: 'Returns status, times, input and result or error of an execution of a workflow.',
  scope: 'workflows:read',
  effect: 'reads',
  input: z.strictObject({
    id: idField('the execution, exec_…'),
    waitSeconds: z.int().min(0).max(60).default(0).describe('Seconds to wait for its end, at most 60'),
  }),
  request: ({ id, waitSeconds }) => ({
    method: 'GET',
    path: apiPath`/api/v1/workflows/executions/${id}`,
    query: { wait_for_completion: waitSeconds === 0 ? undefined : waitSeconds },
  }),
});
