import { fileNameOf } from '#deploy/config/given-values.ts';
import { type SettingName, settingInfo, settingsSchema } from '#deploy/config/schema.ts';
import { SETTING_GROUPS } from '#deploy/config/setting-groups.ts';
import { cell, generatedPage, table } from './markdown.ts';

/** The page of all settings, one table for each subject, from `deploy/config/setting-groups.ts`. */
export function configurationPage(): string {
  const defaults = settingsSchema.safeParse({});
  const tables = SETTING_GROUPS.map(({ title, settings }) => {
    const names = Object.keys(settings) as SettingName[];
    const rows = names.map((name) => [
      `\`${name}\``,
      defaultOf(name, defaults.data),
      cell(settingInfo(name).description) + noteOf(name),
    ]);
    return `\n## ${title}\n\n${table(['Setting', 'Default', 'Meaning'], rows)}`;
  });
  return generatedPage('Configuration', INTRODUCTION) + tables.join('');
}

const MIB = 2 ** 20;
const GIB = 2 ** 30;

const INTRODUCTION = `Every setting is an environment variable, or a line \`NAME=value\` of the file that \`--config\` names. The environment overrides the file. \`trapline config\` prints each value and its source.

- A setting without a default is off, unless its meaning states what happens if it is not set.
- Sizes are bytes, or a number with a unit: \`1048576\`, \`64MiB\`, \`1GB\`.
- A setting that is marked with \`NAME_FILE\` can be read from a file: set \`NAME_FILE\` to its path. One line break at the end of the file is dropped.`;

/** What is added to the meaning of a secret. */
function noteOf(name: SettingName): string {
  const fileName = fileNameOf(name);
  if (fileName === undefined) return '';
  return settingInfo(name).secret ? ` (secret; or \`${fileName}\`)` : ` (or \`${fileName}\`)`;
}

function defaultOf(name: string, defaults: Readonly<Record<string, unknown>> | undefined): string {
  const value = defaults?.[name];
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return '';
  const text = `\`${cell(typeof value === 'object' ? JSON.stringify(value) : String(value))}\``;
  return typeof value === 'number' && value % MIB === 0 && value > 0 ? `${text} (${mebibytes(value)})` : text;
}

/** Returns a size for people, such as `80 MiB`. */
function mebibytes(bytes: number): string {
  return bytes % GIB === 0 ? `${bytes / GIB} GiB` : `${bytes / MIB} MiB`;
}
