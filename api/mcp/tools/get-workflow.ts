import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { apiPath, idField } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'Read a workflow',
  description: 'Returns a workflow with the definition of its current version, which includes the schema of its input.',
  scope: 'workflows:read',
  effect: 'reads',
  input: z.strictObject({ id: idField('the workflow, or its name') }),
  request: ({ id }) => ({ method: 'GET', path: apiPath`/api/v1/workflows/${id}` }),
  select: ({ yamlContent: _, ...workflow }) => workflow,
});
