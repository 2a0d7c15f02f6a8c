import type { Logger } from 'pino';
import { usageError } from '../../cli/command-error.ts';
import type { Config } from '../../config.ts';

/** Production does not start without its secrets, its address and a mail server; it may run on the local engines, and says so once. */
export function refuseIncompleteProduction({ platform, postgres, clickhouse }: Config, log: Logger): void {
  if (platform.missing.length > 0)
    throw usageError(
      `the configuration is not fit for production\n${platform.missing.map((line) => `  ${line}`).join('\n')}`,
    );
  if (platform.production && (postgres.url === undefined || clickhouse.url === undefined))
    log.warn({}, 'production runs on local engines: back the data directory up, no other process can share it');
}
