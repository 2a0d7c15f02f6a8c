import { z } from 'zod';
import { type DetectionSettings, ruleSettingsSchema, settingsOfRule } from '#analytics/detections/settings.ts';

/**
 * Proposed settings of a rule. An omitted setting stays as it is. Null restores the value of the rules file, or the
 * default.
 */
export interface RuleProposal {
  readonly enabled?: boolean | null | undefined;
  readonly thresholds?: Readonly<Record<string, unknown>> | undefined;
}

/** The settings of a rule with the proposal applied. */
export interface ProposedRule {
  /** Settings that override the rules file. */
  readonly over: Readonly<Record<string, unknown>>;
  /** All effective settings. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * Applies a proposal to a rule with the present overrides `over`. Throws a `ZodError` whose paths are those of the
 * proposal: `enabled`, `thresholds.<name>`.
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
  // Omits settings that only an older version of the rule had.
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
