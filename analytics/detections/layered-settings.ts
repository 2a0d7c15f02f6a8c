import type { DetectionException } from './exception.ts';
import { RULES } from './rule-registry.ts';
import { type DetectionSettings, MAX_EXCEPTIONS, ruleSettingsSchema, type UserRuleSource } from './settings.ts';
import { MAX_USER_RULES } from './user-rules/limits.ts';
import { readRule } from './user-rules/read-rule.ts';

/** What administrators set while the service runs, over what the rules file says. */
export interface SettingsLayer {
  /** By rule, the settings that differ. */
  readonly rules: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly exceptions: readonly DetectionException[];
  /** Rules of their own that are on. */
  readonly userRules: readonly (UserRuleSource & { readonly id: string })[];
}

/**
 * The settings that hold: the rules file or the defaults, then the layer. Exceptions of the file come first. A rule whose settings are not valid
 * any more, as they may be after an upgrade, keeps those below and is named in `refused`. A user's rule that this version refuses is left out and
 * named in `refusedUserRules`.
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
