import { z } from 'zod';
import { attackSchema, ruleIdSchema, SEVERITIES } from '../detection.ts';

const ruleStatisticsSchema = z
  .object({
    baseRate: z.string().describe('What ordinary programs do: the model that false alarms are computed from'),
    falseAlarmsPerMonth: z
      .number()
      .min(0)
      .describe('Expected on an ordinary host: up to 15 faults a program, at most one crash loop a month'),
    falseAlarmForEach: z.string().nullable().describe('What raises one more each time it happens; null: nothing known'),
    evasions: z
      .array(
        z.object({
          evasion: z.string(),
          price: z.string().describe('What an attacker pays for it'),
          days: z.number().nullable().describe('Days that the attack then takes; null: the price is not time'),
        }),
      )
      .describe('Known evasions, the cheapest first'),
  })
  .describe('What the rule rests on, at its default thresholds');

export const ruleListingSchema = z.looseObject({
  id: ruleIdSchema,
  version: z.int(),
  name: z.string(),
  severity: z.enum(SEVERITIES),
  attack: z.array(attackSchema),
  summary: z.string().describe('What it fires on, in a sentence'),
  runbook: z
    .object({
      nextChecks: z.array(z.string()).describe('What to do, in this order'),
      falsePositives: z.array(z.string()).describe('What looks the same and is no attack'),
    })
    .describe('For an analyst who reads a detection of it'),
  statistics: ruleStatisticsSchema.nullable().describe('null for a rule of a user'),
  enabled: z.boolean(),
  thresholds: z.array(
    z.object({ name: z.string(), default: z.unknown(), value: z.unknown(), description: z.string() }),
  ),
  etag: z.string().describe('Of what is set of it; for If-Match'),
  origin: z.enum(['built-in', 'user']).describe('user: written by a user; it has no thresholds'),
  author: z.string().nullable().describe('Of a pushed rule: actor of its last change'),
});

/** Proposed settings of a rule. The rule itself defines its thresholds and their ranges. */
export const ruleProposalSchema = z.strictObject({
  enabled: z.boolean().nullable().optional().describe('null: as the rules file says, else on'),
  thresholds: z
    .record(z.string().max(100), z.union([z.number(), z.boolean(), z.string().max(4_000), z.null()]))
    .optional()
    .describe('By name; null: as the rules file says, else the default'),
});

const found = z.object({
  detections: z.int().describe('Detections of the rule'),
  silenced: z.int().describe('Those among them that an exception covers'),
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
  from: z.string().describe('Events from this instant on were judged; later than asked for when there were too many'),
  to: z.string().describe('Events before this instant were judged'),
  events: z.int().describe('Events that were judged'),
  complete: z.boolean().describe('False when there were more events, or more work, than a back-test takes on'),
  current: found.describe('By the settings that hold'),
  proposed: found.describe('By those proposed'),
  added: z.array(triedSchema).describe('Detections that only the proposed settings find, 20 at most'),
  removed: z.array(triedSchema).describe('Detections that only the current settings find, 20 at most'),
  changed: z
    .array(
      z.object({
        before: z.array(triedSchema).describe('As the current settings find the episode'),
        after: z.array(triedSchema).describe('As the proposed settings find the episode'),
      }),
    )
    .describe(
      'Episodes that both settings find, but not as the same detections: same program and register, overlapping in time; several on one side where the other joins or splits them. 20 at most',
    ),
});
