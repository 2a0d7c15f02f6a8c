import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { apiPath, idField } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'Read a rule',
  description:
    'Returns a rule with ATT&CK techniques, thresholds and runbook (what to check, and benign causes that look similar).',
  scope: 'detections:read',
  effect: 'reads',
  input: z.strictObject({ id: idField('the rule') }),
  request: ({ id }) => ({ method: 'GET', path: apiPath`/api/rules/${id}` }),
});
