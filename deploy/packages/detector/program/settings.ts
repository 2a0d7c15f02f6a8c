import { join } from 'node:path';
import { SIGNAL_DIALECTS, type SignalDialect } from '#schemas/events/signal-dialect.ts';
import { usageError } from '../../../cli/command-error.ts';

/** Settings of the packaged detector, from its environment. */
export interface DetectorSettings {
  /** Default server for events if `--to` is not given. */
  readonly url: string | null;
  readonly apiKey: ApiKeySource | null;
  /** Directory for the position in the kernel ring buffer and for the spool. */
  readonly dataDir: string;
  readonly signalDialect: SignalDialect;
}

export type ApiKeySource = { readonly value: string } | { readonly file: string };

const DEFAULT_DATA_DIR = './.trapline';

/**
 * Reads the settings from `environment`. Does not use the schema library of the platform settings, which would keep 11
 * MiB of memory. Under systemd, the defaults are the state directory and the credential `api-key` of the unit.
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): DetectorSettings {
  const dialect = environment.TRAPLINE_SIGNAL_DIALECT ?? 'v1';
  const signalDialect = SIGNAL_DIALECTS.find((name) => name === dialect);
  if (signalDialect === undefined)
    throw usageError(`TRAPLINE_SIGNAL_DIALECT: must be ${SIGNAL_DIALECTS.join(' or ')} (got ${dialect})`);
  return {
    url: setting(environment.TRAPLINE_URL),
    apiKey: apiKeySource(environment),
    dataDir: setting(environment.TRAPLINE_DATA_DIR) ?? setting(environment.STATE_DIRECTORY) ?? DEFAULT_DATA_DIR,
    signalDialect,
  };
}

function apiKeySource(environment: Readonly<Record<string, string | undefined>>): ApiKeySource | null {
  const value = setting(environment.TRAPLINE_API_KEY);
  if (value !== null) return { value };
  const file = setting(environment.TRAPLINE_API_KEY_FILE);
  if (file !== null) return { file };
  const credentials = setting(environment.CREDENTIALS_DIRECTORY);
  return credentials === null ? null : { file: join(credentials, 'api-key') };
}

function setting(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value;
}
