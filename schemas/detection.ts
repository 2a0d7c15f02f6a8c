import { z } from 'zod';
import { DETECTION_STATUSES, RULE_ID_PATTERN, SEVERITIES, type Severity, VERDICTS } from './detection-terms.ts';
import type { EventV1 } from './events/versions/v1.ts';

export { DETECTION_STATUSES, SEVERITIES, type Severity, VERDICTS };

export const ruleIdSchema = z
  .string()
  .max(100)
  .regex(RULE_ID_PATTERN)
  .describe('Id of a rule; GET /api/rules lists them');

export const attackSchema = z.object({
  tactic: z.string().describe('ATT&CK tactic id, e.g. TA0002'),
  technique: z.string().describe('ATT&CK technique id, e.g. T1203'),
  name: z.string().describe('Name of the technique'),
});

/** Levels of `host.risk.calculated_level` of the Elastic Common Schema. */
export const RISK_LEVELS = ['Critical', 'High', 'Moderate', 'Low', 'Unknown'] as const;

export const riskSchema = z.object({
  score: z.number().describe('Points of the signs, added up; each loses half in 24 hours without new evidence'),
  normalised: z.number().min(0).max(100).describe('The score on a scale of 0 to 100; a score of 50 is 50'),
  level: z.enum(RISK_LEVELS).describe('Critical from 90 on the scale, High from 70, Moderate from 40, Low from 20'),
});

/** A detection: one episode of one rule for one program, in its latest revision. */
export const detectionSchema = z.object({
  id: z.string().regex(/^det_[0-9a-f]{32}$/),
  revision: z.int().min(1).describe('Grows with every piece of evidence'),
  rule: z.object({ id: ruleIdSchema, version: z.int().min(1), name: z.string() }),
  severity: z.enum(SEVERITIES),
  hostname: z.string().nullable(),
  hosts: z
    .array(z.string())
    .describe('Hosts of a campaign, which has no hostname, by name; 256 at most. Empty otherwise'),
  hostsTotal: z.int().min(0).describe('All hosts of the campaign; 0 otherwise'),
  procname: z.string().nullable(),
  file: z.string().nullable(),
  register: z.string().nullable(),
  executable: z
    .string()
    .nullable()
    .describe('Executable of the processes that crashed; null when unknown or different'),
  buildId: z.string().nullable().describe('GNU build id of that executable; null when unknown or different'),
  uid: z.int().min(0).nullable().describe('User id of the processes that crashed; null when unknown or different'),
  parent: z
    .string()
    .nullable()
    .describe('Executable of their parent process, or its name; null when unknown or different'),
  unit: z.string().nullable().describe('Unit of systemd that they belong to; null when unknown or different'),
  container: z.string().nullable().describe('Id of their container; null when unknown, none or different'),
  pod: z.string().nullable().describe('Uid of their Kubernetes pod; null when unknown, none or different'),
  firstSeen: z.string().describe('RFC 3339, UTC, nine fractional digits; time of the first evidence'),
  lastSeen: z.string().describe('RFC 3339, UTC, nine fractional digits; time of the latest evidence'),
  crashes: z.int().min(0).describe('Crashes of the program that were logged during the episode'),
  suppressedAtLeast: z
    .int()
    .min(0)
    .describe('Crashes the kernel says it did not log: a lower bound, without those whose dump was logged'),
  message: z.string(),
  values: z.array(z.string()).describe('Distinct evidence values, hexadecimal, capped'),
  valuesTotal: z.int().min(0),
  attack: z.array(attackSchema),
  evidenceCount: z.int().min(0),
  risk: riskSchema.nullable().describe('Highest risk of the host during an alert of its signs; null for other rules'),
  status: z.enum(DETECTION_STATUSES),
  verdict: z.enum(VERDICTS).nullable(),
  assignee: z.string().nullable(),
  note: z.string().nullable(),
  exception: z.string().nullable().describe('Id of the exception that silences it'),
  event: z
    .custom<EventV1>((v) => typeof v === 'object' && v !== null)
    .nullable()
    .describe('The V1 RegisterProbe event'),
});

export type Attack = z.infer<typeof attackSchema>;
export type Detection = z.infer<typeof detectionSchema>;
