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
  /** Headers of its operator, who is not counted. */
  readonly headers: Readonly<Record<string, string>>;
  /** The stores it uses, as environment variables for another process of its installation. */
  readonly stores: Readonly<Record<string, string>> & { readonly DATABASE_URL: string };
}

/** Gives `use` an API process of its own over this ClickHouse database, with fresh PostgreSQL and Redis, and ends all of them. */
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
