import type { Logger } from 'pino';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { Database } from '#api/postgres/database.ts';
import { createEventProducer } from '#ingest/kafka/producer.ts';
import { usageError } from '../cli/command-error.ts';
import type { Config } from '../config.ts';
import { openLogExport, sourceOf } from '../tracing/open-otlp.ts';
import { startClickHouse } from './clickhouse-part.ts';
import { observeDiskSpace } from './disk-space.ts';
import { kafkaConnection } from './kafka-connection.ts';
import { startKafkaRole } from './kafka-role.ts';
import type { Lifecycle } from './lifecycle.ts';
import { createLogger } from './logging.ts';
import { observeLanding } from './observe-landing.ts';
import { createProcessRegistry } from './process-metrics.ts';
import { observeLanes, observeStores } from './readiness.ts';
import { requireReplicas } from './require-replicas.ts';
import { loadRuleSettings, type RuleSource } from './rule-settings.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { startSeat } from './seat.ts';
import { startStatusServer } from './status-server.ts';
import { startTracing } from './tracing-part.ts';

/**
 * `trapline ingest`: reads from Kafka and writes to ClickHouse until it is stopped. Any number of these processes share
 * the load.
 */
export async function runIngest({ config }: { config: Config }): Promise<never> {
  if (!config.kafka) {
    throw usageError('ingest reads from Kafka: set KAFKA_BROKERS, or run `trapline start` without Kafka');
  }
  const kafka = config.kafka;
  if (config.clickhouse.url === undefined) {
    throw usageError('ingest needs a ClickHouse that other processes share: set CLICKHOUSE_URL');
  }
  const logs = await openLogExport(config.otlpLogs, sourceOf('ingest', config.seat));
  const log = await createLogger(config, logs);
  const rulesFile = await loadRuleSettings(config.rulesFile);
  const connection = await kafkaConnection(kafka);

  return runUntilStopped(log, async ({ lifecycle, failed }) => {
    const registry = createProcessRegistry();
    const tracing = await startTracing(config, 'ingest', { lifecycle, log, logs, registry });
    const clickhouse = await startClickHouse(config, lifecycle, log, failed);
    await requireReplicas(clickhouse, config.clickhouse);
    const deps = { lifecycle, log, failed };
    const rules = await rulesOf(await openDatabase(config, deps), rulesFile, deps);
    const store = createLandingStore({ clickhouse });
    const producer = await lifecycle.start('Kafka producer', () => {
      const value = createEventProducer({ log }, { connection });
      return { value, stop: () => value.close() };
    });
    const instanceId = await startSeat(config, 'ingest', lifecycle);
    const { consumer, lanes, join } = await startKafkaRole(config, {
      lifecycle,
      connection,
      instanceId,
      producer,
      store,
      rules,
      registry,
      tracing,
      log,
      failed,
    });
    observeLanding(registry, lanes.stats);
    const disk = observeDiskSpace(registry, config, clickhouse);
    const components = observeStores({
      clickhouse,
      withoutClickHouse: 'down',
      beforeJoin: 'down',
      consumer,
      lanes: lanes.stats,
      disk,
    });
    const url = await startStatusServer(config, 'ingest', lifecycle, {
      logger: log,
      registry,
      components,
      own: observeLanes(lanes.stats),
    });
    await join();
    log.info({ url, group: kafka.groupId }, 'ingest is running');
  });
}

/**
 * Opens PostgreSQL if it is configured, and reports this process there. Loaded on demand, because without it `ingest`
 * needs no part of the platform.
 */
async function openDatabase(config: Config, deps: ProcessDeps): Promise<Database | undefined> {
  if (config.postgres.url === undefined) return undefined;
  const [{ startPostgres }, { reportProcess }] = await Promise.all([
    import('./postgres-part.ts'),
    import('./report-process.ts'),
  ]);
  const { database } = await startPostgres(config, deps.lifecycle, deps.log, deps.failed);
  await reportProcess('ingest', { ...deps, config, database });
  return database;
}

/** Returns the rule settings of administrators if PostgreSQL is available, otherwise those of the rules file. */
async function rulesOf(
  database: Database | undefined,
  rulesFile: DetectionSettings,
  deps: ProcessDeps,
): Promise<RuleSource> {
  if (database === undefined) {
    deps.log.warn(
      {},
      'DATABASE_URL is not set: rules and exceptions are those of TRAPLINE_RULES_FILE, whatever is set over HTTP',
    );
    return { current: () => rulesFile };
  }
  const { startRuleSource } = await import('./rule-source.ts');
  return startRuleSource(rulesFile, { ...deps, database });
}

interface ProcessDeps {
  readonly lifecycle: Lifecycle;
  readonly log: Logger;
  readonly failed: (error: unknown) => void;
}
