import { z } from 'zod';
import { userRuleSourceSchema } from '#schemas/api/user-rules.ts';
import { defineTool } from '../tool.ts';
import { timeFields } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'Back-test a rule text',
  description:
    'Runs a Sigma rule over stored events and returns the detections that it would have created. Changes nothing. Takes up to 30 seconds.',
  scope: 'admin',
  effect: 'reads',
  input: z.strictObject({ source: userRuleSourceSchema, ...timeFields }),
  request: (body) => ({ method: 'POST', path: '/api/user-rules/backtest', body }),
});
