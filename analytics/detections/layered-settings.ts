import type { DetectionException } from './exception.ts';
import { RULES } from './rule-registry.ts';
import { type DetectionSettings, MAX_EXCEPTIONS, ruleSettingsSchema, type UserRuleSource } from './settings.ts';
import { MAX_USER_RULES } from './user-rules/limits.ts';
import { readRule } from './user-rules/read-rule.ts';

/** Settings that administrators change while the service runs. They override the rules file. */
export interface SettingsLayer {
  /** Changed settings by rule. */
  readonly rules: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly exceptions: readonly DetectionException[];
  /** User rules that are enabled. */
  readonly userRules: readonly (UserRuleSource & { readonly id: string })[];
}

/**
 * Returns the settings in effect: the rules file or the defaults, overridden by the layer. Exceptions of the file come
 * first. After an upgrade, the layer's settings of a rule may be invalid. The rule then keeps the settings below and is
 * listed in `refused`. A user rule that this version rejects is omitted and listed in `refusedUserRules`.
 */
export function layerSettings(
  base: DetectionSettings,
  { rules, exceptions, userRules }: SettingsLayer,
): {
  readonly settings: DetectionSettings;
  readonly refused: readonly string[];
  readonly refusedUserRules: readonly string[];
} {
  const refused: string[] = [];
  const layered = RULES.map(({ id }) => {
    const over = rules[id];
    const parsed = over === undefined ? undefined : ruleSettingsSchema(id).safeParse({ ...base.rules[id], ...over });
    if (parsed !== undefined && !parsed.success) refused.push(id);
    return [id, parsed?.success ? parsed.data : base.rules[id]];
  });
  const readable = userRules.filter(({ source }) => readRule(source).ok);
  const settings = {
    ...base,
    rules: Object.fromEntries(layered) as DetectionSettings['rules'],
    exceptions: [...base.exceptions, ...exceptions].slice(0, MAX_EXCEPTIONS),
    userRules: [...base.userRules, ...readable.map(({ source, version }) => ({ source, version }))].slice(
      0,
      MAX_USER_RULES,
    ),
  };
  const refusedUserRules = userRules.filter((rule) => !readable.includes(rule)).map(({ id }) => id);
  return { settings, refused, refusedUserRules };
}
