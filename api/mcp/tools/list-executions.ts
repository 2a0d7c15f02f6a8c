import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { apiPath, idField, offsetFields } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'List executions of a workflow',
  description: 'Lists executions of a workflow, newest first, by status and time.',
  scope: 'workflows:read',
  effect: 'reads',
  input: z.strictObject({
    id: idField('the workflow, or its name'),
    status: z.string().max(200).optional().describe('Statuses, joined by commas, such as failed,cancelled'),
    fromDate: z.string().max(64).optional().describe('Created then or later: RFC 3339, or relative as now()-7d'),
    ...offsetFields,
  }),
  request: ({ id, ...query }) => ({ method: 'GET', path: apiPath`/api/v1/workflows/${id}/executions`, query }),
});
