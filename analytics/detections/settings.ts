import { z } from 'zod';
import { detectionExceptionSchema } from './exception.ts';
import { detectorTampering } from './rules/detector-tampering.ts';
import { instructionPointerProbe } from './rules/instruction-pointer-probe.ts';
import { registerValueProbe } from './rules/register-value-probe.ts';
import { stackCanaryProbe } from './rules/stack-canary-probe.ts';
import { suppressedCrashBurst } from './rules/suppressed-crash-burst.ts';

const enabled = z.boolean().default(true);

/** Bounds of a tracker's memory, each per (topic, partition). */
const limitsSchema = z.strictObject({
  maxPrograms: z.int().min(1).default(100_000).describe('Programs remembered; above, the least promising is forgotten'),
  maxProgramsPerHost: z.int().min(1).default(4_000),
  maxPointsPerProgram: z.int().min(32).max(65_536).default(1_024).describe('Distinct crash addresses of a program'),
  maxPoints: z.int().min(1).default(1_000_000).describe('Distinct crash addresses and register values in all'),
  maxValues: z.int().min(256).max(65_536).default(4_096).describe('Distinct values an episode counts exactly'),
});

/** Kinds of justification, from the least to the most detailed. */
export const JUSTIFICATIONS = ['none', 'summary', 'full'] as const;
export type Justification = (typeof JUSTIFICATIONS)[number];

/** Of all sources together. */
export const MAX_EXCEPTIONS = 10_000;

/** What can be set of each rule: its thresholds and whether it is on. */
export const RULE_SETTINGS = {
  'instruction-pointer-probe': instructionPointerProbe.thresholds.extend({ enabled }),
  'register-value-probe': registerValueProbe.thresholds.extend({ enabled }),
  'stack-canary-probe': stackCanaryProbe.thresholds.extend({ enabled }),
  'suppressed-crash-burst': suppressedCrashBurst.thresholds.extend({ enabled }),
  'detector-tampering': detectorTampering.thresholds.extend({ enabled }),
} as const;

/**
 * What an operator can set about detections. Everything has a default: `parse({})` is the shipped configuration. Unknown names are
 * refused everywhere: a misspelled threshold must not look as if it were set.
 */
export const detectionSettingsSchema = z.strictObject({
  rules: z
    .strictObject({
      'instruction-pointer-probe': RULE_SETTINGS['instruction-pointer-probe'].prefault({}),
      'register-value-probe': RULE_SETTINGS['register-value-probe'].prefault({}),
      'stack-canary-probe': RULE_SETTINGS['stack-canary-probe'].prefault({}),
      'suppressed-crash-burst': RULE_SETTINGS['suppressed-crash-burst'].prefault({}),
      'detector-tampering': RULE_SETTINGS['detector-tampering'].prefault({}),
    })
    .prefault({}),
  exceptions: z.array(detectionExceptionSchema).max(MAX_EXCEPTIONS).default([]),
  limits: limitsSchema.prefault({}),
  justification: z
    .enum(JUSTIFICATIONS)
    .default('summary')
    .describe(
      'What a RegisterProbe event carries: none (the number of events), summary (register values while they are few) or full (up to 16 whole events of the program; costs memory of limits.maxPoints)',
    ),
});

export type DetectionSettings = z.output<typeof detectionSettingsSchema>;

export const DEFAULT_DETECTION_SETTINGS: DetectionSettings = detectionSettingsSchema.parse({});
