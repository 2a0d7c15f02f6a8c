import { readFileSync } from 'node:fs';
import { type Refused, type Resolved, resolveConfig, type Sources } from './config/resolve.ts';

export type { Config } from './config/config.ts';
export type { Refused, Resolved } from './config/resolve.ts';

/** Configuration options of the command line. */
export interface ConfigOptions {
  /** A file of settings. The environment has precedence over it. */
  readonly file?: string | undefined;
  /** Settings from command-line options. They have precedence over the environment. */
  readonly settings?: Sources['commandLine'];
}

/**
 * Loads the configuration. The only code that reads the environment of the process, and the files that settings name
 * for their secrets.
 */
export function loadConfig({ file, settings: commandLine }: ConfigOptions = {}): Resolved | Refused {
  const sources = { environment: process.env, commandLine, readFile: (path: string) => readFileSync(path, 'utf8') };
  if (file === undefined) return resolveConfig(sources);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return { ok: false, errors: [`${file}: can't be read (${(error as NodeJS.ErrnoException).code})`], production: [] };
  }
  return resolveConfig({ ...sources, file: { path: file, text } });
}
