import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ConfigOptions, Refused, Resolved } from '../config.ts';

const CHILD = fileURLToPath(new URL('./load-apart-child.ts', import.meta.url));

/**
 * Loads the configuration as `loadConfig` does, in a short-lived child process. The schema library takes 11 MiB that
 * are never released, which is too much for a detector that runs on a production host for months.
 */
export async function loadConfigApart(options: ConfigOptions): Promise<Resolved | Refused> {
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, JSON.stringify(options)]);
  return JSON.parse(stdout) as Resolved | Refused;
}
