import { z } from 'zod';
import { ruleIdSchema, SEVERITIES } from '../detection.ts';
import { triedSchema } from './rules.ts';

const MAX_SOURCE = 65_536;

export const userRuleSourceSchema = z
  .string()
  .min(1)
  .max(MAX_SOURCE)
  .describe('The rule file: YAML of Sigma 2, one rule or several with the correlation over them');

export const userRulePushSchema = z.strictObject({ source: userRuleSourceSchema });

export const userRuleChangeSchema = z.strictObject({
  enabled: z.boolean().describe('false: it finds nothing any more'),
});

/** A rule with its current version. */
export const userRuleSchema = z.object({
  id: ruleIdSchema,
  title: z.string(),
  severity: z.enum(SEVERITIES),
  enabled: z.boolean(),
  version: z.int().describe('Of the current text, from 1'),
  sha256: z.string().describe('Of the current text; the audit log records it'),
  changedAt: z.string().describe('Time of the last change, RFC 3339'),
  changedBy: z.string().describe('Actor of the last change'),
  refusal: z.string().nullable().describe('Why this version of Trapline does not judge by the rule; null: it does'),
});

export const userRuleDetailSchema = userRuleSchema.extend({
  source: z.string().describe('The text of the version asked for, else of the current one'),
  versions: z
    .array(
      z.object({
        version: z.int(),
        sha256: z.string(),
        pushedAt: z.string().describe('RFC 3339'),
        pushedBy: z.string(),
      }),
    )
    .describe('The newest first, 100 at most'),
});

export const userRulePushedSchema = userRuleSchema.extend({
  outcome: z.enum(['created', 'updated', 'unchanged']),
});

export const userRuleBacktestSchema = z.object({
  from: z.string().describe('Events from this instant on were judged; later than asked for when there were too many'),
  to: z.string().describe('Events before this instant were judged'),
  events: z.int().describe('Events of the time asked for'),
  judged: z
    .int()
    .describe('Those among them that ClickHouse left to the rule; the others cannot match, or cannot fire'),
  complete: z.boolean().describe('False when there were more events, or more work, than a back-test takes on'),
  detections: z.int().describe('Detections of the rule'),
  silenced: z.int().describe('Those among them that an exception covers'),
  found: z.array(triedSchema).describe('Detections, 20 at most'),
});
