import { z } from 'zod';
import { attackSchema, ruleIdSchema, SEVERITIES } from '../detection.ts';

const ruleStatisticsSchema = z
  .object({
    baseRate: z.string().describe('Model of normal crash behaviour, from which the rate of false alarms is computed'),
    falseAlarmsPerMonth: z
      .number()
      .min(0)
      .describe('Expected rate on a normal host, with up to 15 faults per program and at most one crash loop a month'),
    falseAlarmForEach: z
      .string()
      .nullable()
      .describe('Event that causes one false alarm each time it occurs; null: none known'),
    evasions: z
      .array(
        z.object({
          evasion: z.string(),
          price: z.string().describe('Cost for the attacker'),
          days: z
            .number()
            .nullable()
            .describe('Duration of the attack with this evasion, in days; null: the cost is not time'),
        }),
      )
      .describe('Known evasions, cheapest first'),
  })
  .describe('Facts behind the rule, at its default thresholds');

export const ruleListingSchema = z.looseObject({
  id: ruleIdSchema,
  version: z.int(),
  name: z.string(),
  severity: z.enum(SEVERITIES),
  attack: z.array(attackSchema),
  summary: z.string().describe('What the rule fires on, in one sentence'),
  runbook: z
    .object({
      nextChecks: z.array(z.string()).describe('Recommended steps, in order'),
      falsePositives: z.array(z.string()).describe('Benign causes that look similar'),
    })
    .describe('Guidance for an analyst who investigates a detection of the rule'),
  statistics: ruleStatisticsSchema.nullable().describe('null for a user rule'),
  enabled: z.boolean(),
  thresholds: z.array(
    z.object({ name: z.string(), default: z.unknown(), value: z.unknown(), description: z.string() }),
  ),
  etag: z.string().describe('Version of its settings, for If-Match'),
  origin: z.enum(['built-in', 'user']).describe('user: user rule, which has no thresholds'),
  author: z.string().nullable().describe('Actor of the last change, for a pushed rule'),
});

/** Proposed settings of a rule. The rule itself defines its thresholds and their ranges. */
export const ruleProposalSchema = z.strictObject({
  enabled: z.boolean().nullable().optional().describe('null: the value of the rules file, otherwise on'),
  thresholds: z
    .record(z.string().max(100), z.union([z.number(), z.boolean(), z.string().max(4_000), z.null()]))
    .optional()
    .describe('Threshold for each name; null: the value of the rules file, otherwise the default'),
});

const found = z.object({
  detections: z.int().describe('Number of detections of the rule'),
  silenced: z.int().describe('Number of these detections that match an exception'),
});

/** A detection without its events. */
export const triedSchema = z.looseObject({
  id: z.string(),
  severity: z.enum(SEVERITIES),
  hostname: z.string().nullable(),
  procname: z.string().nullable(),
  message: z.string(),
  crashes: z.int(),
  firstSeen: z.string().describe('Time of the first evidence, RFC 3339'),
  lastSeen: z.string().describe('Time of the latest evidence, RFC 3339'),
});

export const backtestSchema = z.object({
  from: z.string().describe('Start of the tested range; later than requested if there were too many events'),
  to: z.string().describe('End of the tested range, exclusive'),
  events: z.int().describe('Number of tested events'),
  complete: z.boolean().describe('false if the back-test stopped early because of its limits'),
  current: found.describe('Result with the current settings'),
  proposed: found.describe('Result with the proposed settings'),
  added: z.array(triedSchema).describe('Detections that only the proposed settings find, at most 20'),
  removed: z.array(triedSchema).describe('Detections that only the current settings find, at most 20'),
  changed: z
    .array(
      z.object({
        before: z.array(triedSchema).describe('Detections of the episode with the current settings'),
        after: z.array(triedSchema).describe('Detections of the episode with the proposed settings'),
      }),
    )
    .describe(
      'Episodes that both settings find, but as different detections of the same program and register that overlap in time. If one side merges or splits an episode, the other has several detections. At most 20',
    ),
});
