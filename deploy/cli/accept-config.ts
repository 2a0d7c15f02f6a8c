import type { Refused, Resolved } from '../config.ts';
import { usageError } from './command-error.ts';

/**
 * Returns the configuration, or throws a `CommandError` that lists all errors. With `servesPlatform`, this includes the
 * production requirements for a process that serves accounts: addresses must be set, and secrets must be strong and
 * different.
 */
export function acceptConfig(result: Resolved | Refused, { servesPlatform }: { servesPlatform: boolean }): Resolved {
  if (result.ok && (!servesPlatform || result.config.platform.problems.length === 0)) return result;
  const [headline, errors] = result.ok
    ? ['the configuration is not fit for production', result.config.platform.problems]
    : ['the configuration is wrong', [...result.errors, ...(servesPlatform ? result.production : [])]];
  throw usageError(`${headline}\n${errors.map((error) => `  ${error}`).join('\n')}`);
}
