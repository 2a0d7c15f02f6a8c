import { z } from 'zod';
import { SETTING_COMBINATIONS } from './setting-combinations.ts';
import { SETTING_SHAPE } from './setting-groups.ts';

/**
 * All settings of the product. `trapline config --help` and the documentation show the text of `describe`. A setting
 * without a default is off if it is not set.
 */
export const settingsSchema = SETTING_COMBINATIONS.reduce(
  // `when`: zod skips checks between fields while a field is invalid.
  (schema, { name, holds, message }) => schema.refine(holds, { path: [name], when: () => true, message }),
  z.object(SETTING_SHAPE),
);

export type Settings = z.output<typeof settingsSchema>;
export type SettingName = keyof Settings;
export const SETTING_NAMES = Object.keys(settingsSchema.shape) as readonly SettingName[];

export interface SettingInfo {
  readonly description: string;
  /** True if its value must be hidden. */
  readonly secret: boolean;
  /**
   * True if its value may be the content of the file that `NAME_FILE` names: every secret, and URLs that may contain a
   * password.
   */
  readonly file: boolean;
}

/** Returns the metadata of a setting. */
export function settingInfo(name: SettingName): SettingInfo {
  const meta = innermostMeta(settingsSchema.shape[name]);
  const secret = meta?.secret === true;
  return { description: settingsSchema.shape[name].description ?? '', secret, file: secret || meta?.file === true };
}

/** `optional()` and `default()` wrap a schema; its metadata stays on the inner schema. */
function innermostMeta(schema: z.ZodType): Record<string, unknown> | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return innermostMeta(schema.unwrap() as z.ZodType);
  return schema.meta();
}
