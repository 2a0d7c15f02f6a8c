import { fileNameOf } from '#deploy/config/given-values.ts';
import { SETTING_NAMES, type SettingName, settingInfo, settingsSchema } from '#deploy/config/schema.ts';
import { cell, generatedPage, table } from './markdown.ts';

/** The page of all settings, from `deploy/config/schema.ts`. */
export function configurationPage(): string {
  const defaults = settingsSchema.safeParse({});
  const rows = SETTING_NAMES.map((name) => {
    return [`\`${name}\``, defaultOf(name, defaults.data), cell(settingInfo(name).description) + noteOf(name)];
  });
  return `${generatedPage(
    'Configuration',
    'Every setting is an environment variable, or a line `NAME=value` of the file that `--config` names. The environment overrides the file. `trapline config` prints each value and its source. A setting without a default is off. A setting that is marked with a `NAME_FILE` can be the content of a file instead: `NAME_FILE` is its path, and one line break at its end is dropped.',
  )}\n${table(['Setting', 'Default', 'Meaning'], rows)}`;
}

/** What is added to the meaning of a secret. */
function noteOf(name: SettingName): string {
  const fileName = fileNameOf(name);
  if (fileName === undefined) return '';
  return settingInfo(name).secret ? ` (secret; or \`${fileName}\`)` : ` (or \`${fileName}\`)`;
}

function defaultOf(name: string, defaults: Readonly<Record<string, unknown>> | undefined): string {
  const value = defaults?.[name];
  if (value === undefined || value === '') return '';
  return `\`${cell(typeof value === 'object' ? JSON.stringify(value) : String(value))}\``;
}
