import { z } from 'zod';
import { ruleProposalSchema } from '#schemas/api/rules.ts';
import { defineTool } from '../tool.ts';
import { apiPath, idField, timeFields } from '../tool-fields.ts';

const { thresholds } = ruleProposalSchema.shape;

export const tool = defineTool({
  title: 'Back-test settings of a rule',
  description:
    'Judges stored events by the current and the proposed settings of a built-in rule and compares the detections. Changes nothing. Takes up to 30 seconds.',
  scope: 'admin',
  effect: 'reads',
  input: z.strictObject({
    id: idField('the rule'),
    enabled: z.boolean().optional().describe('Whether the rule is enabled; default: unchanged'),
    thresholds,
    ...timeFields,
  }),
  request: ({ id, ...body }) => ({ method: 'POST', path: apiPath`/api/rules/${id}/backtest`, body }),
});
