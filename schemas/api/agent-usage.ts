import { z } from 'zod';

const usage = {
  runs: z.int(),
  ended: z.int().describe('Of them, those that have ended'),
  unpricedRuns: z.int().describe('Runs that ended and used a model, and whose cost is unknown'),
  inputTokens: z.number(),
  cachedInputTokens: z.number().describe('Of the input tokens, those that the endpoint read from its cache'),
  outputTokens: z.number(),
  totalTokens: z.number(),
  steps: z.number().describe('Calls of models'),
  toolCalls: z.number(),
  durationMs: z.number().describe('Of all runs together'),
  credits: z.number().nullable().describe('Of the runs with a known cost; null: no cost is known'),
};

/** Resources that the runs of an agent used in a period. */
export const agentUsageSchema = z.object({
  from: z.string().describe('RFC 3339'),
  to: z.string().describe('RFC 3339'),
  scanLimited: z.boolean().describe('The period has more runs than were summed'),
  total: z.object(usage),
  versions: z.array(z.object({ version: z.int().describe('Of the workspace'), ...usage })),
  models: z.array(z.object({ model: z.string().nullable().describe('null: no model'), ...usage })),
});
