import type { Refused, Resolved } from '../config.ts';
import { usageError } from './command-error.ts';

/**
 * The configuration, or a `CommandError` that lists everything wrong with it. With `servesPlatform` this includes what production
 * requires of a process that serves accounts: missing addresses, weak or equal secrets.
 */
export function acceptConfig(result: Resolved | Refused, { servesPlatform }: { servesPlatform: boolean }): Resolved {
  if (result.ok && (!servesPlatform || result.config.platform.problems.length === 0)) return result;
  const [headline, errors] = result.ok
    ? ['the configuration is not fit for production', result.config.platform.problems]
    : ['the configuration is wrong', [...result.errors, ...(servesPlatform ? result.production : [])]];
  throw usageError(`${headline}\n${errors.map((error) => `  ${error}`).join('\n')}`);
}
