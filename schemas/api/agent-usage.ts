import { z } from 'zod';

const usage = {
  runs: z.int(),
  ended: z.int().describe('Number of runs that have ended'),
  unpricedRuns: z.int().describe('Number of runs that used a model and have ended, but have no known cost'),
  inputTokens: z.number(),
  cachedInputTokens: z.number().describe('Number of input tokens that the endpoint read from its cache'),
  outputTokens: z.number(),
  totalTokens: z.number(),
  steps: z.number().describe('Number of model calls'),
  toolCalls: z.number(),
  durationMs: z.number().describe('Total of all runs'),
  credits: z.number().nullable().describe('Total cost of the runs with a known cost; null: no cost is known'),
};

/** Resources that the runs of an agent used in a period. */
export const agentUsageSchema = z.object({
  from: z.string().describe('RFC 3339'),
  to: z.string().describe('RFC 3339'),
  scanLimited: z.boolean().describe('true if the period has more runs than are included'),
  total: z.object(usage),
  versions: z.array(z.object({ version: z.int().describe('Version of the workspace'), ...usage })),
  models: z.array(z.object({ model: z.string().nullable().describe('null: no model'), ...usage })),
});
