import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { isTemporary } from '#analytics/clickhouse/failure.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import type { PipelineLog } from '#ingest/pipeline/lane.ts';
import type { Config } from '../config.ts';
import { superviseClickHouse } from '../engines/supervise-clickhouse.ts';
import type { Lifecycle } from './lifecycle.ts';

/** ClickHouse by URL, or the local engine started and watched; migrated and ready either way. */
export async function startClickHouse(
  config: Config,
  lifecycle: Lifecycle,
  log: PipelineLog,
  failed: (error: unknown) => void,
): Promise<ClickHouse> {
  const { url, user, password = '', database } = config.clickhouse;
  const server =
    url === undefined
      ? await lifecycle.start('local ClickHouse engine', async () => {
          const engine = await superviseClickHouse({
            dataDir: path.join(config.dataDir, 'clickhouse'),
            memoryMiB: Math.floor(config.engineMemoryBytes / 2 ** 20),
            logger: log,
            onGivenUp: failed,
          });
          return {
            value: { url: engine.url, user: engine.user, password: engine.password },
            stop: () => engine.stop(),
          };
        })
      : { url, user, password };
  const clickhouse = await lifecycle.start('ClickHouse client', () => {
    const client = createClickHouse({ ...server, database });
    return { value: client, stop: () => client.close() };
  });
  await migrateWhenReachable(clickhouse, config, log);
  return clickhouse;
}

/** A server that is not up yet is waited for: processes of a cluster start in any order. */
async function migrateWhenReachable(clickhouse: ClickHouse, config: Config, log: PipelineLog): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const ran = await migrate(clickhouse, config.retentionDays);
      if (ran.length > 0) log.info({ migrations: ran }, 'migrated ClickHouse');
      return;
    } catch (error) {
      if (!isTemporary(error)) throw error;
      log.warn({ attempt, err: error }, 'ClickHouse does not answer yet, trying again');
      await delay(Math.min(5000, 200 * 2 ** Math.min(attempt, 5)));
    }
  }
}
