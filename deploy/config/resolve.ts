import { nearestName } from '#schemas/nearest-name.ts';
import { plainMessage } from '#schemas/plain-message.ts';
import { type Config, groupSettings } from './config.ts';
import { parseConfigFile } from './config-file.ts';
import { FILE_NAMES, type GivenValues, giveValues } from './given-values.ts';
import { hideCredentials } from './hide.ts';
import { problemsInProduction } from './production.ts';
import { registrationRule } from './registration.ts';
import { SETTING_NAMES, type SettingName, type Settings, settingInfo, settingsSchema } from './schema.ts';

export interface Sources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly file?: { readonly path: string; readonly text: string } | undefined;
  /** Command-line options, by the setting that each sets. */
  readonly commandLine?: Readonly<Partial<Record<SettingName, string>>> | undefined;
  /** Returns the content of a file with a secret. Throws the error of the system. */
  readonly readFile?: ((path: string) => string) | undefined;
}

export interface Resolved {
  readonly ok: true;
  readonly config: Config;
  readonly settings: Settings;
  /** Origin of each value: `command line`, `environment`, `FILE:LINE`, `file PATH` or `default`. */
  readonly origins: Readonly<Record<SettingName, string>>;
  /** Names that look like typing errors, but may belong to another program. */
  readonly warnings: readonly string[];
}

export interface Refused {
  readonly ok: false;
  /** One line each, without secrets. */
  readonly errors: readonly string[];
  /**
   * Additional problems that keep a process that serves the platform from starting, reported together with the errors.
   */
  readonly production: readonly string[];
}

const OURS = 'TRAPLINE_';
const SHARED_FAMILIES = ['KAFKA_', 'CLICKHOUSE_', 'SCHEMA_REGISTRY_', 'DATABASE_', 'REDIS_', 'S3_'];
/** Variables that Kubernetes sets in every pod of a namespace with a Service named trapline. */
const SERVICE_LINK =
  /^TRAPLINE(?:_\w+)?_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)$/;

const KNOWN_NAMES = [...SETTING_NAMES, ...FILE_NAMES];

/**
 * Resolves the settings from the command line, then the environment, then a file. Reports all errors at once. An empty
 * value counts as not set.
 */
export function resolveConfig({
  environment,
  file,
  commandLine = {},
  readFile = noFiles,
}: Sources): Resolved | Refused {
  const parsedFile = file && parseConfigFile(file.text);
  const read = file && parsedFile && { path: file.path, entries: parsedFile.entries };
  const given = giveValues({ commandLine, environment, file: read, readFile });
  const errors = [...(parsedFile?.errors ?? []).map((error) => `${file?.path}: ${error}`), ...given.errors];
  for (const [name, entry] of parsedFile?.entries ?? []) {
    if (!isKnown(name)) errors.push(`${file?.path}: line ${entry.line}: ${unknown(name)}`);
  }
  const inEnvironment = unknownVariables(environment);
  errors.push(...inEnvironment.errors);

  const result = settingsSchema.safeParse(given.values, { error: plainMessage });
  if (!result.success) {
    for (const issue of result.error.issues) errors.push(describe(String(issue.path[0]), issue.message, given));
  }
  const isGiven = (name: SettingName) => given.values[name] !== undefined || given.inFiles.has(name);
  if (errors.length > 0 || !result.success) {
    return {
      ok: false,
      errors: [...new Set(errors)],
      production: problemsInProduction(validOnes(given.values), isGiven),
    };
  }
  const settings = Object.freeze({ ...result.data, REGISTRATION: registrationRule(result.data).registration });
  const { origins } = given;
  return { ok: true, config: groupSettings(result.data, isGiven), settings, origins, warnings: inEnvironment.warnings };
}

/**
 * Unknown names with our prefix are errors. Unknown names that other programs may use are warnings if they look like
 * typing errors.
 */
function unknownVariables(environment: Sources['environment']): { errors: string[]; warnings: string[] } {
  const errors: string[] = [];
  const warnings: string[] = [];
  for (const name of Object.keys(environment)) {
    if (isKnown(name)) continue;
    if (name.startsWith(OURS)) {
      if (!isServiceLink(name, environment)) errors.push(unknown(name));
    } else if (SHARED_FAMILIES.some((family) => name.startsWith(family))) {
      const meant = nearestName(name, KNOWN_NAMES);
      if (meant !== undefined && Math.abs(meant.length - name.length) <= 2)
        warnings.push(`${unknown(name)} It is ignored.`);
    }
  }
  return { errors, warnings };
}

function noFiles(path: string): never {
  throw new TypeError(`${path}: no function to read files was given`);
}

/**
 * Returns the settings whose own value is valid, with defaults, for checks that run even if another setting is invalid.
 */
function validOnes(given: Partial<Record<SettingName, string>>): Partial<Settings> {
  const read = SETTING_NAMES.map((name) => [name, settingsSchema.shape[name].safeParse(given[name])] as const);
  return Object.fromEntries(read.flatMap(([name, { success, data }]) => (success ? [[name, data]] : [])));
}

function isSetting(name: string): name is SettingName {
  return Object.hasOwn(settingsSchema.shape, name);
}

function isKnown(name: string): boolean {
  return isSetting(name) || FILE_NAMES.includes(name);
}

function isServiceLink(name: string, environment: Sources['environment']): boolean {
  return environment.KUBERNETES_SERVICE_HOST !== undefined && SERVICE_LINK.test(name);
}

function unknown(name: string): string {
  const nearest = nearestName(name, KNOWN_NAMES);
  return `${name}: there is no such setting${nearest === undefined ? '.' : `; did you mean ${nearest}?`}`;
}

function describe(name: string, message: string, { values, inFiles, origins }: GivenValues): string {
  if (!isSetting(name)) return `${name}: ${message}`;
  // The content of a file is not shown, because it may be the wrong file and contain another secret.
  if (inFiles.has(name)) return `${name}: ${message} (in ${origins[name]})`;
  const value = values[name];
  const shown = value !== undefined && !settingInfo(name).secret;
  return `${name}: ${message}${shown ? ` (got ${JSON.stringify(hideCredentials(value).slice(0, 100))})` : ''}`;
}
