import { z } from 'zod';
import { ruleIdSchema, SEVERITIES } from '../detection.ts';
import { triedSchema } from './rules.ts';

const MAX_SOURCE = 65_536;

export const userRuleSourceSchema = z
  .string()
  .min(1)
  .max(MAX_SOURCE)
  .describe('Rule file in Sigma 2 YAML: one rule, or several rules with a correlation');

export const userRulePushSchema = z.strictObject({ source: userRuleSourceSchema });

export const userRuleChangeSchema = z.strictObject({
  enabled: z.boolean().describe('false: the rule is disabled'),
});

/** A rule with its current version. */
export const userRuleSchema = z.object({
  id: ruleIdSchema,
  title: z.string(),
  severity: z.enum(SEVERITIES),
  enabled: z.boolean(),
  version: z.int().describe('Version of the current text, from 1'),
  sha256: z.string().describe('SHA-256 of the current text, as in the audit log'),
  changedAt: z.string().describe('Time of the last change, RFC 3339'),
  changedBy: z.string().describe('Actor of the last change'),
  refusal: z.string().nullable().describe('Why this version of Trapline does not run the rule; null: it runs'),
});

export const userRuleDetailSchema = userRuleSchema.extend({
  source: z.string().describe('Text of the requested version; default: the current one'),
  versions: z
    .array(
      z.object({
        version: z.int(),
        sha256: z.string(),
        pushedAt: z.string().describe('RFC 3339'),
        pushedBy: z.string(),
      }),
    )
    .describe('Newest first, at most 100'),
});

export const userRulePushedSchema = userRuleSchema.extend({
  outcome: z.enum(['created', 'updated', 'unchanged']),
});

export const userRuleBacktestSchema = z.object({
  from: z.string().describe('Start of the tested range; later than requested if there were too many events'),
  to: z.string().describe('End of the tested range, exclusive'),
  events: z.int().describe('Number of events in the requested range'),
  judged: z
    .int()
    .describe('Number of these events that the rule evaluated. ClickHouse filters out events that cannot match'),
  complete: z.boolean().describe('false if the back-test stopped early because of its limits'),
  detections: z.int().describe('Number of detections of the rule'),
  silenced: z.int().describe('Number of these detections that match an exception'),
  found: z.array(triedSchema).describe('Sample of at most 20 detections'),
});
