import { z } from 'zod';
import type { RuleId } from '#schemas/detection.ts';
import type { RuleMetadata } from './rule.ts';
import { detectorTampering } from './rules/detector-tampering.ts';
import { instructionPointerProbe } from './rules/instruction-pointer-probe.ts';
import { registerValueProbe } from './rules/register-value-probe.ts';
import { stackCanaryProbe } from './rules/stack-canary-probe.ts';
import { suppressedCrashBurst } from './rules/suppressed-crash-burst.ts';
import { DEFAULT_DETECTION_SETTINGS, type DetectionSettings } from './settings.ts';

/** All rules, in the order in which they are listed everywhere. */
export const RULES = [
  instructionPointerProbe,
  registerValueProbe,
  stackCanaryProbe,
  suppressedCrashBurst,
  detectorTampering,
] as const satisfies readonly RuleMetadata[];

/** One rule as `trapline rules` and `GET /api/rules` show it: plain JSON. */
export interface RuleListing extends Omit<RuleMetadata, 'thresholds'> {
  readonly enabled: boolean;
  readonly thresholds: readonly ThresholdListing[];
}

export interface ThresholdListing {
  readonly name: string;
  readonly default: unknown;
  /** What holds: the operator's, or the default. */
  readonly value: unknown;
  readonly description: string;
}

/** The metadata of a rule by its id. */
export function ruleById(id: RuleId): RuleMetadata {
  const rule = RULES.find((candidate) => candidate.id === id);
  if (rule === undefined) throw new Error(`no rule ${id}`);
  return rule;
}

/** The catalogue as plain JSON, with the thresholds that hold under these settings. */
export function catalogue(settings: DetectionSettings = DEFAULT_DETECTION_SETTINGS): readonly RuleListing[] {
  return RULES.map((rule) => {
    const { enabled, ...values } = settings.rules[rule.id];
    return { ...rule, enabled, thresholds: listThresholds(rule.thresholds, values) };
  });
}

function listThresholds(thresholds: z.ZodObject, values: Readonly<Record<string, unknown>>): ThresholdListing[] {
  const defaults = thresholds.parse({});
  return Object.entries(thresholds.shape).map(([name, schema]) => ({
    name,
    default: defaults[name],
    value: values[name],
    description: z.globalRegistry.get(schema)?.description ?? '',
  }));
}
