import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { apiPath, idField } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'Read the timeline of a case',
  description:
    'Returns changes, detections, tasks, files, executions and comments of a case in the order in which they happened.',
  scope: 'cases:read',
  effect: 'reads',
  input: z.strictObject({ id: idField('the case') }),
  request: ({ id }) => ({ method: 'GET', path: apiPath`/api/cases/${id}/timeline` }),
});
