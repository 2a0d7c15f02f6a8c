import { type Command, Option } from 'commander';
import { FILE_NAMES } from '../../config/given-values.ts';
import { HIDDEN, hideCredentials } from '../../config/hide.ts';
import { SETTING_NAMES, type SettingName, settingInfo } from '../../config/schema.ts';
import { SETTING_GROUPS } from '../../config/setting-groups.ts';
import type { Resolved } from '../../config.ts';
import type { CommandContext } from '../context.ts';

export function registerConfig(program: Command, context: CommandContext): void {
  program
    .command('config')
    .addOption(new Option('--output <format>', 'output format').choices(['table', 'json']).default('table'))
    .addHelpText('after', settingsHelp())
    .action(async ({ output }: { output: 'table' | 'json' }) => {
      const rows = describeSettings(await context.resolvedConfig());
      await context.write(output === 'json' ? `${JSON.stringify(rows, null, 2)}\n` : settingsTable(rows));
    });
}

function settingsHelp(): string {
  const groups = SETTING_GROUPS.flatMap(({ title, settings }) => {
    const names = Object.keys(settings) as SettingName[];
    return ['', `${title}:`, ...names.map((name) => `  ${name.padEnd(36)} ${settingInfo(name).description}`)];
  });
  return [
    '',
    'Settings by subject:',
    ...groups,
    '',
    'Paths of files that hold the value of a setting:',
    ...FILE_NAMES.map((name) => `  ${name}`),
  ].join('\n');
}

interface SettingRow {
  readonly name: string;
  /** Null if it is not set and has no default. */
  readonly value: string | number | boolean | readonly string[] | null;
  readonly origin: string;
}

/** Returns every setting, with secrets hidden. */
export function describeSettings({ settings, origins }: Resolved): SettingRow[] {
  return SETTING_NAMES.map((name) => {
    const value = settings[name] ?? null;
    const origin = value === null ? 'not set' : origins[name];
    if (value !== null && settingInfo(name).secret) return { name, value: HIDDEN, origin };
    return { name, value: typeof value === 'string' ? hideCredentials(value) : value, origin };
  });
}

function settingsTable(rows: readonly SettingRow[]): string {
  const texts = rows.map(({ name, value, origin }) => [name, value === null ? '-' : String(value), origin] as const);
  const width = (column: 0 | 1) => Math.max(...texts.map((row) => row[column].length));
  return texts
    .map(([name, value, origin]) => `${name.padEnd(width(0))}  ${value.padEnd(width(1))}  ${origin}\n`)
    .join('');
}
