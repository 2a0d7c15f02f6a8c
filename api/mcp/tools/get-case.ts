import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { apiPath, idField } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'Read a case',
  description: 'Returns a case with the ids of its detections, its tasks and the names of its files.',
  scope: 'cases:read',
  effect: 'reads',
  input: z.strictObject({ id: idField('the case') }),
  request: ({ id }) => ({ method: 'GET', path: apiPath`/api/cases/${id}` }),
});
