import { SETTING_NAMES, settingInfo, settingsSchema } from '#deploy/config/schema.ts';
import { cell, generatedPage, table } from './markdown.ts';

/** The page of all settings, from `deploy/config/schema.ts`. */
export function configurationPage(): string {
  const defaults = settingsSchema.safeParse({});
  const rows = SETTING_NAMES.map((name) => {
    const { description, secret } = settingInfo(name);
    return [`\`${name}\``, defaultOf(name, defaults.data), cell(description) + (secret ? ' (secret)' : '')];
  });
  return `${generatedPage(
    'Configuration',
    'Every setting is an environment variable, or a line `NAME=value` of the file that `--config` names. The environment overrides the file. `trapline config` prints each value and its source. A setting without a default is off.',
  )}\n${table(['Setting', 'Default', 'Meaning'], rows)}`;
}

function defaultOf(name: string, defaults: Readonly<Record<string, unknown>> | undefined): string {
  const value = defaults?.[name];
  if (value === undefined || value === '') return '';
  return `\`${cell(typeof value === 'object' ? JSON.stringify(value) : String(value))}\``;
}
