import { z } from 'zod';
import { evaluationSchema, passRateSchema } from './agents.ts';

const armSchema = z.object({
  version: z.int().describe('Version of the workspace'),
  config: z.record(z.string(), z.unknown()).describe('Configuration keys that override those of the agent'),
});

export const experimentSchema = z.object({
  id: z.string().describe('`awp_…`'),
  name: z.string(),
  baseline: armSchema,
  candidate: armSchema,
  checks: z.array(z.unknown()).describe('Checks at the time of the start'),
  examples: z.int(),
  createdBy: z.string(),
  createdAt: z.string().describe('RFC 3339 with milliseconds'),
});

const runSchema = z
  .object({
    executionId: z.string(),
    status: z.string(),
    evaluation: evaluationSchema.nullable(),
    cost: z.record(z.string(), z.number()).nullable(),
  })
  .nullable()
  .describe('null: not visible to the caller, or deleted');

/** Current result of an experiment. */
export const experimentResultSchema = z.object({
  experiment: experimentSchema,
  open: z.int().describe('Number of unfinished runs'),
  rows: z.array(z.object({ exampleName: z.string(), baseline: runSchema, candidate: runSchema })),
  comparison: z.object({
    baseline: passRateSchema,
    candidate: passRateSchema,
    both: z.int().describe('Number of examples that both versions passed'),
    onlyBaseline: z.int(),
    onlyCandidate: z.int(),
    neither: z.int(),
    pValue: z.number().nullable().describe("McNemar's exact test, two-sided, of the passed examples"),
    verdict: z
      .enum(['candidate-better', 'baseline-better', 'no-difference', 'too-few'])
      .describe(
        'Significance at the 5 % level. too-few: fewer than 6 examples have different results, so no difference can be significant',
      ),
    metrics: z.array(
      z.object({
        metric: z.enum(['durationMs', 'totalTokens', 'credits']),
        pairs: z.int().describe('Number of examples with a value for both versions'),
        baselineMean: z.number().nullable(),
        candidateMean: z.number().nullable(),
        pValue: z.number().nullable().describe('Permutation test of the signs of the differences, two-sided'),
      }),
    ),
  }),
});
