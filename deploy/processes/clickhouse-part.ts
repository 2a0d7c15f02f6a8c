import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { connectClickHouse } from '#analytics/clickhouse/connect.ts';
import { isTemporary } from '#analytics/clickhouse/failure.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import type { PipelineLog } from '#ingest/pipeline/pipeline-lane.ts';
import type { Config } from '../config.ts';
import { startClickHouseEngine } from '../engines/clickhouse.ts';
import type { EngineAddress } from '../engines/clickhouse-request.ts';
import { supervise } from '../engines/supervise.ts';
import type { Lifecycle, Started } from './lifecycle.ts';
import { createMigrationProgress } from './migration-progress.ts';

/**
 * Connects to the configured ClickHouse, or starts and supervises the embedded engine. Resolves when it is migrated and
 * ready.
 */
export async function startClickHouse(
  config: Config,
  lifecycle: Lifecycle,
  log: PipelineLog,
  failed: (error: unknown) => void,
): Promise<ClickHouse> {
  const { url, database } = config.clickhouse;
  const engine =
    url === undefined
      ? await lifecycle.start('local ClickHouse engine', () => startEngine(config, log, failed))
      : undefined;
  const clickhouse = await lifecycle.start('ClickHouse client', () => {
    const client =
      engine === undefined ? connectClickHouse(config.clickhouse) : createClickHouse({ ...engine, database });
    return { value: client, stop: () => client.close() };
  });
  await migrateWhenReachable(clickhouse, config, log, lifecycle.signal);
  return clickhouse;
}

/**
 * If the engine ends or hangs, it is restarted with the same password. Requests until then fail with temporary errors.
 */
async function startEngine(
  config: Config,
  log: PipelineLog,
  failed: (error: unknown) => void,
): Promise<Started<Omit<EngineAddress, 'socketPath'> & { url: string; socketPath: () => string }>> {
  const password = randomBytes(24).toString('base64url');
  const engine = await supervise(
    () =>
      startClickHouseEngine({
        dataDir: path.join(config.dataDir, 'clickhouse'),
        password,
        memoryMiB: Math.floor(config.engineMemoryBytes / 2 ** 20),
        isolation: config.engineIsolation,
        logger: log,
      }),
    log,
    { check: (running, signal) => running.check(signal) },
  );
  void engine.gaveUp.then(failed);
  const { url, user } = engine.current();
  // Each start has a new socket.
  const socketPath = () => engine.current().socketPath;
  return { value: { url, user, password, socketPath }, stop: () => engine.stop() };
}

/** Retries while the server is unavailable, because processes of a cluster start in any order. */
async function migrateWhenReachable(
  clickhouse: ClickHouse,
  config: Config,
  log: PipelineLog,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const progress = createMigrationProgress(log, 'migrating ClickHouse');
      const ran = await migrate(clickhouse, config.retentionDays, progress);
      if (ran.length > 0) log.info({ migrations: ran.length, latest: ran.at(-1) }, 'migrated ClickHouse');
      return;
    } catch (error) {
      if (!isTemporary(error)) throw error;
      log.warn({ attempt, err: error }, 'ClickHouse unavailable, retrying');
      await delay(Math.min(5000, 200 * 2 ** Math.min(attempt, 5)), undefined, { signal });
    }
  }
}
