import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import { isDatabaseUnavailable } from '#api/postgres/failure.ts';
import { migrateDatabase } from '#api/postgres/migrations/migrate.ts';
import type { PipelineLog } from '#ingest/pipeline/pipeline-lane.ts';
import type { Config } from '../config.ts';
import { isPostgresServing, type PostgresEngine, startPostgresEngine } from '../engines/postgres.ts';
import { supervise } from '../engines/supervise.ts';
import type { Lifecycle, Started } from './lifecycle.ts';
import { createMigrationProgress } from './migration-progress.ts';

export interface PostgresPart {
  readonly database: Database;
  /** URL of the server itself, not of a pooler. Contains the password. */
  readonly url: string;
}

/**
 * Connects to the configured PostgreSQL, or starts and supervises the embedded engine. Resolves when it is migrated and
 * ready.
 */
export async function startPostgres(
  config: Config,
  lifecycle: Lifecycle,
  log: PipelineLog,
  failed: (error: unknown) => void,
): Promise<PostgresPart> {
  const { url = await startEngineOf(config, lifecycle, log, failed), pooled } = config.postgres;
  const directUrl = config.postgres.directUrl ?? url;
  const database = await lifecycle.start('PostgreSQL client', () => {
    const onIdleError = (err: Error) => log.warn({ err }, 'PostgreSQL connection lost');
    const value = createDatabase({ url, pooled, onIdleError });
    return { value, stop: () => value.destroy() };
  });
  const migrating = pooled ? createDatabase({ url: directUrl, connections: 1 }) : database;
  try {
    await migrateWhenReachable(migrating, log, lifecycle.signal);
  } finally {
    if (pooled) await migrating.destroy();
  }
  return { database, url: directUrl };
}

function startEngineOf(
  config: Config,
  lifecycle: Lifecycle,
  log: PipelineLog,
  failed: (error: unknown) => void,
): Promise<string> {
  return lifecycle.start('local PostgreSQL engine', () => startEngine(config, log, failed));
}

/** If the engine ends, it is restarted with the same URL. Requests until then fail with temporary errors. */
async function startEngine(
  config: Config,
  log: PipelineLog,
  failed: (error: unknown) => void,
): Promise<Started<string>> {
  let socketDirectory: string | undefined;
  const dataDir = path.join(config.dataDir, 'postgres');
  const { programs } = config.postgres;
  const start = async () => {
    const started = await startPostgresEngine({ dataDir, programs, socketDirectory, logger: log });
    socketDirectory = started.socketDirectory;
    return started;
  };
  const check = async (running: PostgresEngine) => {
    if (!(await isPostgresServing(running))) throw new Error('the local PostgreSQL does not respond');
  };
  // One check takes up to 2 s. On a busy machine, several may fail although the server works.
  const engine = await supervise(start, log, { check, failures: 8 });
  void engine.gaveUp.then(failed);
  return { value: engine.current().url, stop: () => engine.stop() };
}

/** Retries while the server is unavailable, because processes of a cluster start in any order. */
async function migrateWhenReachable(database: Database, log: PipelineLog, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const ran = await migrateDatabase(database, createMigrationProgress(log, 'migrating PostgreSQL'));
      if (ran.length > 0) log.info({ migrations: ran.length, latest: ran.at(-1) }, 'migrated PostgreSQL');
      return;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      log.warn({ attempt, err: error }, 'PostgreSQL unavailable, retrying');
      await delay(Math.min(5000, 200 * 2 ** Math.min(attempt, 5)), undefined, { signal });
    }
  }
}
