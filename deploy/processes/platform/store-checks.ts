import { sql } from 'kysely';
import type { ComponentChecks, ComponentState } from '#api/http/ports.ts';
import type { StoreChecks } from '#api/http/routes/health.ts';
import type { BrokerCheck } from '#ingest/kafka/broker-check.ts';
import type { EventConsumer } from '#ingest/kafka/port.ts';
import type { DiskSpace } from '../disk-space.ts';
import { isFailing, type Landing } from '../observe-landing.ts';
import { ANSWER_MS, isFetching } from '../readiness.ts';
import type { Foundation } from './foundation.ts';

/** Kafka parts of a process: a consumer if it reads, a broker check if it writes. */
export interface KafkaParts {
  readonly consumer?: EventConsumer | undefined;
  readonly brokers?: BrokerCheck | undefined;
}

/** Disks and landing state of a process. */
export interface StorageParts {
  readonly disk: DiskSpace;
  readonly landing: () => Promise<Landing>;
}

/** Returns the store checks of `/api/health`. */
export function storeChecks(
  { config, clickhouse, database, shared }: Foundation,
  { consumer, brokers }: KafkaParts,
  { disk, landing }: StorageParts,
): StoreChecks {
  return {
    async postgres() {
      await sql`SELECT 1`.execute(database);
      return config.postgres.url === undefined ? 'embedded' : 'ok';
    },
    async clickhouse() {
      await clickhouse.rows('answer', 'SELECT 1', { signal: AbortSignal.timeout(ANSWER_MS) });
      // A server with a full disk responds to every query but accepts no insert.
      if (isFailing(await landing())) return 'down';
      return config.clickhouse.url === undefined ? 'embedded' : 'ok';
    },
    redis: () => shared.state(),
    async kafka() {
      if (config.kafka === undefined) return 'embedded';
      const answers = await (brokers?.isUp() ?? true);
      return answers && (consumer === undefined || isFetching(consumer)) ? 'ok' : 'down';
    },
    disk: disk.state,
    async landing() {
      const now = await landing();
      return { failing: isFailing(now), lastLandedMs: now.lastLandedMs };
    },
  };
}

/** Returns the platform store checks of `/readyz`. */
export function platformComponents({ database, shared }: Pick<Foundation, 'database' | 'shared'>): ComponentChecks {
  return {
    async postgres(): Promise<ComponentState> {
      await sql`SELECT 1`.execute(database);
      return 'ok';
    },
    redis: () => (shared.state() === 'down' ? 'degraded' : 'ok'),
  };
}
