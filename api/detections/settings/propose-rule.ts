import { z } from 'zod';
import { type DetectionSettings, ruleSettingsSchema, settingsOfRule } from '#analytics/detections/settings.ts';

/** What to set of a rule. What is not given stays; null goes back to what the rules file says, or the default. */
export interface RuleProposal {
  readonly enabled?: boolean | null | undefined;
  readonly thresholds?: Readonly<Record<string, unknown>> | undefined;
}

/** The settings of a rule as they would be. */
export interface ProposedRule {
  /** What is set over the rules file. */
  readonly over: Readonly<Record<string, unknown>>;
  /** All of them. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * What a proposal makes of a rule of which `over` is set by now. Throws a `ZodError` that names what is wrong as it stands in the proposal:
 * `enabled`, `thresholds.<name>`.
 */
export function proposeRule(
  base: DetectionSettings,
  rule: string,
  over: Readonly<Record<string, unknown>>,
  { enabled, thresholds = {} }: RuleProposal,
): ProposedRule {
  const schema = ruleSettingsSchema(rule);
  const names = Object.keys(schema.shape).filter((name) => name !== 'enabled');
  const unknown = Object.keys(thresholds).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new z.ZodError([{ code: 'unrecognized_keys', keys: unknown, path: ['thresholds'], message: 'unknown' }]);
  const wanted = { ...thresholds, ...(enabled === undefined ? {} : { enabled }) };
  // What an older version of the rule knew is left out.
  const known = Object.entries(over).filter(([name]) => name === 'enabled' || names.includes(name));
  const next = Object.fromEntries(
    Object.entries({ ...Object.fromEntries(known), ...wanted }).filter(([, value]) => value !== null),
  );
  const parsed = schema.safeParse({ ...settingsOfRule(base, rule), ...next });
  if (!parsed.success)
    throw new z.ZodError(
      parsed.error.issues.map((issue) => ({
        ...issue,
        path: issue.path[0] === 'enabled' ? issue.path : ['thresholds', ...issue.path],
      })),
    );
  return { over: next, settings: parsed.data };
}
