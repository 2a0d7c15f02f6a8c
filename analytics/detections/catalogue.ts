import { z } from 'zod';
import type { RuleMetadata } from './rule.ts';
import { RULES } from './rule-registry.ts';
import { DEFAULT_DETECTION_SETTINGS, type DetectionSettings, ruleSettingsSchema, settingsOfRule } from './settings.ts';

/** One rule as plain JSON, as `trapline rules` and `GET /api/rules` return it. */
export interface RuleListing extends RuleMetadata {
  readonly enabled: boolean;
  readonly thresholds: readonly ThresholdListing[];
}

export interface ThresholdListing {
  readonly name: string;
  readonly default: unknown;
  /** Value in effect: the operator's, or the default. */
  readonly value: unknown;
  readonly description: string;
}

/** Returns all rules as plain JSON, with the thresholds in effect under these settings. */
export function catalogue(settings: DetectionSettings = DEFAULT_DETECTION_SETTINGS): readonly RuleListing[] {
  return RULES.map((rule) => {
    const { id, version, name, severity, registers, attack, summary, runbook, statistics } = rule;
    const { enabled, ...values } = settingsOfRule(settings, id);
    const thresholds = listThresholds(ruleSettingsSchema(id).omit({ enabled: true }), values);
    return { id, version, name, severity, registers, attack, summary, runbook, statistics, enabled, thresholds };
  });
}

function listThresholds(thresholds: z.ZodObject, values: Readonly<Record<string, unknown>>): ThresholdListing[] {
  const defaults = thresholds.parse({});
  return Object.entries(thresholds.shape).map(([name, schema]) => ({
    name,
    default: defaults[name],
    value: values[name],
    description: z.globalRegistry.get(schema as z.ZodType)?.description ?? '',
  }));
}
