import type { DetectionException } from './exception.ts';
import { RULES } from './rule-registry.ts';
import { type DetectionSettings, MAX_EXCEPTIONS, ruleSettingsSchema } from './settings.ts';

/** What administrators set while the service runs, over what the rules file says. */
export interface SettingsLayer {
  /** By rule, the settings that differ. */
  readonly rules: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly exceptions: readonly DetectionException[];
}

/**
 * The settings that hold: the rules file or the defaults, then the layer. Exceptions of the file come first. A rule whose settings are not valid
 * any more, as they may be after an upgrade, keeps those below and is named in `refused`.
 */
export function layerSettings(
  base: DetectionSettings,
  { rules, exceptions }: SettingsLayer,
): { readonly settings: DetectionSettings; readonly refused: readonly string[] } {
  const refused: string[] = [];
  const layered = RULES.map(({ id }) => {
    const over = rules[id];
    const parsed = over === undefined ? undefined : ruleSettingsSchema(id).safeParse({ ...base.rules[id], ...over });
    if (parsed !== undefined && !parsed.success) refused.push(id);
    return [id, parsed?.success ? parsed.data : base.rules[id]];
  });
  const settings = {
    ...base,
    rules: Object.fromEntries(layered) as DetectionSettings['rules'],
    exceptions: [...base.exceptions, ...exceptions].slice(0, MAX_EXCEPTIONS),
  };
  return { settings, refused };
}
