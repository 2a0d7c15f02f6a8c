import { z } from 'zod';
import { userRuleSourceSchema } from '#schemas/api/user-rules.ts';
import { defineTool } from '../tool.ts';
import { timeFields } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'Back-test a rule text',
  description:
    'Judges stored events by a rule written in Sigma and returns what it would have found. Changes nothing. Takes up to 30 seconds.',
  scope: 'admin',
  effect: 'reads',
  input: z.strictObject({ source: userRuleSourceSchema, ...timeFields }),
  request: (body) => ({ method: 'POST', path: '/api/user-rules/backtest', body }),
});
