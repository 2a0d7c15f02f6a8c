import { nearestName } from '#schemas/nearest-name.ts';
import { type Config, groupSettings } from './config.ts';
import { parseConfigFile } from './config-file.ts';
import { hideCredentials } from './hide.ts';
import { problemsInProduction } from './production.ts';
import { registrationRule } from './registration.ts';
import { SETTING_NAMES, type SettingName, type Settings, settingInfo, settingsSchema } from './schema.ts';

export interface Sources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly file?: { readonly path: string; readonly text: string } | undefined;
  /** Options of the command line, by the setting that each gives. */
  readonly commandLine?: Readonly<Partial<Record<SettingName, string>>> | undefined;
}

export interface Resolved {
  readonly ok: true;
  readonly config: Config;
  readonly settings: Settings;
  /** Where each value comes from: `command line`, `environment`, `FILE:LINE` or `default`. */
  readonly origins: Readonly<Record<SettingName, string>>;
  /** Names that look like a typing error, but may belong to another program. */
  readonly warnings: readonly string[];
}

export interface Refused {
  readonly ok: false;
  /** One line each, free of secrets. */
  readonly errors: readonly string[];
  /** What would keep a process that serves the platform from starting besides: reported in the same round. */
  readonly production: readonly string[];
}

const OURS = 'TRAPLINE_';
const SHARED_FAMILIES = ['KAFKA_', 'CLICKHOUSE_', 'SCHEMA_REGISTRY_', 'DATABASE_', 'REDIS_', 'S3_'];
/** Kubernetes puts these into every pod of a namespace that has a Service called trapline. */
const SERVICE_LINK =
  /^TRAPLINE(?:_\w+)?_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)$/;

/** Reads the settings from the command line, below it the environment, and below that a file. Every error is found in one go. An empty value is no value. */
export function resolveConfig({ environment, file, commandLine = {} }: Sources): Resolved | Refused {
  const parsedFile = file && parseConfigFile(file.text);
  const errors = (parsedFile?.errors ?? []).map((error) => `${file?.path}: ${error}`);
  const warnings: string[] = [];
  const given: Partial<Record<SettingName, string>> = {};
  const origins = {} as Record<SettingName, string>;

  for (const name of SETTING_NAMES) {
    const fromFile = parsedFile?.entries.get(name);
    const value = commandLine[name] || environment[name] || fromFile?.value;
    if (commandLine[name]) origins[name] = 'command line';
    else if (environment[name]) origins[name] = 'environment';
    else origins[name] = value ? `${file?.path}:${fromFile?.line}` : 'default';
    if (value) given[name] = value;
  }
  for (const [name, entry] of parsedFile?.entries ?? []) {
    if (!isSetting(name)) errors.push(`${file?.path}: line ${entry.line}: ${unknown(name)}`);
  }
  for (const name of Object.keys(environment)) {
    if (isSetting(name)) continue;
    if (name.startsWith(OURS)) {
      if (!isServiceLink(name, environment)) errors.push(unknown(name));
    } else if (SHARED_FAMILIES.some((family) => name.startsWith(family))) {
      const meant = nearestName(name, SETTING_NAMES);
      if (meant !== undefined && Math.abs(meant.length - name.length) <= 2)
        warnings.push(`${unknown(name)} It is ignored.`);
    }
  }

  const result = settingsSchema.safeParse(given);
  if (!result.success) {
    for (const issue of result.error.issues) errors.push(describe(String(issue.path[0]), issue.message, given));
  }
  if (errors.length > 0 || !result.success) {
    const production = problemsInProduction(validOnes(given), (name) => given[name] !== undefined);
    return { ok: false, errors: [...new Set(errors)], production };
  }
  const settings = Object.freeze({ ...result.data, REGISTRATION: registrationRule(result.data).registration });
  return { ok: true, config: groupSettings(result.data), settings, origins, warnings };
}

/** The settings whose own value is valid, with defaults, for checks that go on when another setting is wrong. */
function validOnes(given: Partial<Record<SettingName, string>>): Partial<Settings> {
  const read = SETTING_NAMES.map((name) => [name, settingsSchema.shape[name].safeParse(given[name])] as const);
  return Object.fromEntries(read.flatMap(([name, { success, data }]) => (success ? [[name, data]] : [])));
}

function isSetting(name: string): name is SettingName {
  return Object.hasOwn(settingsSchema.shape, name);
}

function isServiceLink(name: string, environment: Sources['environment']): boolean {
  return environment.KUBERNETES_SERVICE_HOST !== undefined && SERVICE_LINK.test(name);
}

function unknown(name: string): string {
  const nearest = nearestName(name, SETTING_NAMES);
  return `${name}: there is no such setting${nearest === undefined ? '.' : `; did you mean ${nearest}?`}`;
}

function describe(name: string, message: string, given: Partial<Record<string, string>>): string {
  const value = given[name];
  const shown = isSetting(name) && value !== undefined && !settingInfo(name).secret;
  return `${name}: ${message}${shown ? ` (is ${JSON.stringify(hideCredentials(value).slice(0, 100))})` : ''}`;
}
