import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ClickHouseService } from '../support/services/clickhouse.ts';
import { startPostgres } from '../support/services/postgres.ts';
import { startRedis } from '../support/services/redis.ts';
import { sharedSecrets } from '../support/shared-secrets.ts';
import { startTrapline } from '../support/trapline-process.ts';
import { API_OPTIONS, PROGRAM_ENV } from './as-program.ts';

/** A running `trapline api`. */
export interface ApiProcess {
  readonly url: string;
  readonly pid: number;
  /** Headers with the operator key, which has no limits. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its stores, as environment variables for another process of the installation. */
  readonly stores: Readonly<Record<string, string>> & { readonly DATABASE_URL: string };
}

/**
 * Starts an API process on this ClickHouse database with fresh PostgreSQL and Redis for `use`, and stops all of them
 * afterwards.
 */
export async function withApiProcess<T>(
  clickHouse: ClickHouseService,
  database: string,
  use: (api: ApiProcess) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
): Promise<T> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  try {
    const stores = {
      CLICKHOUSE_URL: clickHouse.url,
      CLICKHOUSE_USER: clickHouse.user,
      CLICKHOUSE_PASSWORD: clickHouse.password,
      CLICKHOUSE_DATABASE: database,
      DATABASE_URL: postgres.url,
      ...sharedSecrets(),
      REDIS_URL: redis.url,
    };
    const api = await startTrapline(['api'], { ...PROGRAM_ENV, ...stores, ...settings }, undefined, API_OPTIONS);
    try {
      await api.logged('api is running');
      const { url, pid } = JSON.parse(await readFile(path.join(api.dataDir, 'server.json'), 'utf8'));
      const key = (await readFile(path.join(api.dataDir, 'operator.key'), 'utf8')).trim();
      return await use({ url, pid: Number(pid), headers: { 'x-api-key': key }, stores });
    } finally {
      await api.endAll();
    }
  } finally {
    await Promise.all([postgres.stop(), redis.stop()]);
  }
}
