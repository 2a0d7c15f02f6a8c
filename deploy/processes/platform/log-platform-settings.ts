import type { Logger } from 'pino';
import type { Config } from '../../config.ts';

/**
 * Logs platform settings that matter to operators. Settings forbidden in production were already rejected with the
 * configuration.
 */
export function logPlatformSettings({ platform, postgres, clickhouse }: Config, log: Logger): void {
  const { registration, because } = platform.registration;
  log.info({ registration, because }, 'registration rule');
  if (platform.production && (postgres.url === undefined || clickhouse.url === undefined))
    log.warn({}, 'production uses embedded engines: back up the data directory, which no other process can share');
}
