import { readFileSync } from 'node:fs';
import { type Refused, type Resolved, resolveConfig } from './config/resolve.ts';

export type { Config } from './config/config.ts';
export type { Refused, Resolved } from './config/resolve.ts';

/** The one place that reads the process's environment. `file`: a file of the same names; the environment stands above it. */
export function loadConfig(file?: string): Resolved | Refused {
  if (file === undefined) return resolveConfig({ environment: process.env });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return { ok: false, errors: [`${file}: can't be read (${(error as NodeJS.ErrnoException).code})`], production: [] };
  }
  return resolveConfig({ environment: process.env, file: { path: file, text } });
}
