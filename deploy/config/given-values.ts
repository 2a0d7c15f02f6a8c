import type { ConfigFile } from './config-file.ts';
import { SETTING_NAMES, type SettingName, settingInfo } from './schema.ts';

/** Sources of settings, highest precedence first. */
export interface ValueSources {
  /** Command-line options, by the setting that each sets. */
  readonly commandLine: Readonly<Partial<Record<SettingName, string>>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly file?: { readonly path: string; readonly entries: ConfigFile['entries'] } | undefined;
  /** Returns the content of a file. Throws the error of the system. */
  readonly readFile: (path: string) => string;
}

/** Raw values of settings, before validation. */
export interface GivenValues {
  readonly values: Partial<Record<SettingName, string>>;
  /** `command line`, `environment`, `FILE:LINE`, `file PATH` for the content of a file, or `default`. */
  readonly origins: Record<SettingName, string>;
  /** Settings whose value must be read from a file, even if that fails. */
  readonly inFiles: ReadonlySet<SettingName>;
  readonly errors: readonly string[];
}

/**
 * Returns the name of the setting that holds the path of a file with the value of `name`; undefined for settings that
 * hold no secret.
 */
export function fileNameOf(name: SettingName): string | undefined {
  return settingInfo(name).file ? `${name}_FILE` : undefined;
}

/** Names of all settings that hold the path of a file with a secret. */
export const FILE_NAMES: readonly string[] = SETTING_NAMES.flatMap((name) => fileNameOf(name) ?? []);

/**
 * Returns the value of each setting from the source with the highest precedence. A secret may be the content of the
 * file that `NAME_FILE` names, without its final line break. Setting a secret in both ways is an error. An empty value
 * counts as not set.
 */
export function giveValues(sources: ValueSources): GivenValues {
  const values: GivenValues['values'] = {};
  const origins = {} as GivenValues['origins'];
  const inFiles = new Set<SettingName>();
  const errors: string[] = [];
  for (const name of SETTING_NAMES) {
    const direct = strongest(name, sources);
    const fileName = fileNameOf(name);
    const path = fileName === undefined ? undefined : strongest(fileName, sources);
    origins[name] = direct?.origin ?? 'default';
    if (direct !== undefined) values[name] = direct.value;
    if (path === undefined) continue;
    inFiles.add(name);
    if (direct !== undefined) errors.push(`${name}: ${fileName} is set too (${path.origin}): remove one of the two`);
    else {
      origins[name] = `file ${path.value}`;
      const content = contentOf(path.value, sources.readFile);
      if ('problem' in content) errors.push(`${fileName}: ${path.value} ${content.problem}`);
      else values[name] = content.text;
    }
  }
  return { values, origins, inFiles, errors };
}

function strongest(
  name: string,
  { commandLine, environment, file }: ValueSources,
): { readonly value: string; readonly origin: string } | undefined {
  const option = (commandLine as Readonly<Record<string, string | undefined>>)[name];
  if (option) return { value: option, origin: 'command line' };
  const variable = environment[name];
  if (variable) return { value: variable, origin: 'environment' };
  const entry = file?.entries.get(name);
  return entry?.value ? { value: entry.value, origin: `${file?.path}:${entry.line}` } : undefined;
}

function contentOf(
  path: string,
  readFile: ValueSources['readFile'],
): { readonly text: string } | { readonly problem: string } {
  try {
    const text = readFile(path).replace(/\r?\n$/, '');
    return text === '' ? { problem: 'is empty' } : { text };
  } catch (error) {
    return { problem: `can't be read (${(error as NodeJS.ErrnoException).code ?? String(error)})` };
  }
}
