import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { pageFields } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'List exceptions',
  description: 'Lists exceptions, which silence detections: what each covers, its author and its reason; newest first.',
  scope: 'detections:read',
  effect: 'reads',
  input: z.strictObject({
    ended: z.boolean().optional().describe('Also exceptions that were removed'),
    ...pageFields,
  }),
  request: (query) => ({ method: 'GET', path: '/api/exceptions', query }),
});
