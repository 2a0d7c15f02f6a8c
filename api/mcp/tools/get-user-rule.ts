import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { apiPath, idField } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'Read the text of a user rule',
  description: 'Returns a rule that a user wrote, with its Sigma text and its versions.',
  scope: 'detections:read',
  effect: 'reads',
  input: z.strictObject({
    id: idField('the rule'),
    version: z.int().min(1).optional().describe('Return the text of this version; default: the current one'),
  }),
  request: ({ id, version }) => ({ method: 'GET', path: apiPath`/api/user-rules/${id}`, query: { version } }),
});
