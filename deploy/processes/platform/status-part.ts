import { sql } from 'kysely';
import { lastEventMs } from '#analytics/clickhouse/read-models/last-event.ts';
import { queueState } from '#api/executions/store/queue-state.ts';
import type { ComponentChecks, ComponentState } from '#api/http/ports.ts';
import { outputLags } from '#api/outputs/observe-outputs.ts';
import { type IngestStatus, judgeIngest, type StatusDeps } from '#api/telemetry/status/status.ts';
import { kafkaConnection } from '../kafka-connection.ts';
import { ANSWER_MS } from '../readiness.ts';
import { topicNames } from '../topic-names.ts';
import type { Foundation } from './foundation.ts';

/** Same thresholds as in the alerts TraplineExecutionsWait and TraplineOutputBlocked. */
const WAITING_SECONDS = 300;
const BLOCKED_MS = 900_000;
/** Minimum interval between queries of ingest figures. */
const INGEST_MS = 10_000;

/** Returns the sources of the status page for the whole installation. Every platform process can serve it. */
export function statusSources(foundation: Foundation): StatusDeps {
  const { config, clickhouse, database, shared } = foundation;
  const ingest = createIngestStatus(foundation);
  const components: ComponentChecks = {
    async database(): Promise<ComponentState> {
      await sql`SELECT 1`.execute(database);
      return 'ok';
    },
    async 'event-store'(): Promise<ComponentState> {
      await clickhouse.rows('answer', 'SELECT 1', { signal: AbortSignal.timeout(ANSWER_MS) });
      return 'ok';
    },
    'shared-state': () => (shared.state() === 'down' ? 'degraded' : 'ok'),
    ...(config.kafka === undefined
      ? {}
      : { kafka: async (): Promise<ComponentState> => ((await ingest()).lagRecords === null ? 'down' : 'ok') }),
    ingest: async () => judgeIngest(await ingest(), Date.now()),
    async workflows(): Promise<ComponentState> {
      const queues = await queueState(database);
      return queues.some(({ oldestSeconds }) => oldestSeconds > WAITING_SECONDS) ? 'degraded' : 'ok';
    },
    async outputs(): Promise<ComponentState> {
      const lags = await outputLags(database);
      const isBlocked = (at: Date | null) => at !== null && Date.now() - at.getTime() > BLOCKED_MS;
      return lags.some(({ oldestAt }) => isBlocked(oldestAt)) ? 'degraded' : 'ok';
    },
  };
  return { database, components, ingest };
}

/** Shares one query among concurrent callers, and caches its result. */
function createIngestStatus(foundation: Foundation): () => Promise<IngestStatus> {
  let known: { readonly untilMs: number; readonly status: Promise<IngestStatus> } | undefined;
  return () => {
    const now = performance.now();
    if (known === undefined || now >= known.untilMs)
      known = { untilMs: now + INGEST_MS, status: readIngestStatus(foundation) };
    return known.status;
  };
}

async function readIngestStatus(foundation: Foundation): Promise<IngestStatus> {
  const [last, lagRecords] = await Promise.all([
    lastEventMs(foundation.clickhouse, AbortSignal.timeout(ANSWER_MS)).catch(() => undefined),
    readLag(foundation).catch(() => null),
  ]);
  return { lagRecords, lastEventMs: last ?? null };
}

/** Returns the number of records of the events topic that the consumer group has not committed; null without Kafka. */
async function readLag({ config, log }: Foundation): Promise<number | null> {
  if (config.kafka === undefined) return null;
  const { createKafkaAdmin } = await import('#ingest/kafka/admin.ts');
  const admin = createKafkaAdmin({ log }, await kafkaConnection(config.kafka));
  try {
    const partitions = await admin.offsets(topicNames(config).events, config.kafka.groupId);
    return partitions.reduce((sum, { high, committed, low }) => sum + Math.max(0, high - (committed ?? low)), 0);
  } finally {
    await admin.close();
  }
}
