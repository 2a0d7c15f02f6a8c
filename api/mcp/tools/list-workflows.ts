import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { offsetFields } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'List workflows',
  description: 'Lists workflows that the owner of the key may run, by name.',
  scope: 'workflows:read',
  effect: 'reads',
  input: z.strictObject({
    search: z.string().min(1).max(100).optional().describe('Part of the name'),
    ...offsetFields,
  }),
  request: (query) => ({ method: 'GET', path: '/api/v1/workflows', query }),
});
