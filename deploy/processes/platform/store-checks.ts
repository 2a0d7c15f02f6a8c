import { sql } from 'kysely';
import type { ComponentChecks, ComponentState } from '#api/http/ports.ts';
import type { StoreChecks } from '#api/http/routes/health.ts';
import type { BrokerCheck } from '#ingest/kafka/broker-check.ts';
import type { EventConsumer } from '#ingest/kafka/port.ts';
import type { DiskSpace } from '../disk-space.ts';
import { isFailing, type Landing } from '../observe-landing.ts';
import { ANSWER_MS, isFetching } from '../readiness.ts';
import type { Foundation } from './foundation.ts';

/** What a process has of Kafka: a consumer where it reads, a check where it writes. */
export interface KafkaParts {
  readonly consumer?: EventConsumer | undefined;
  readonly brokers?: BrokerCheck | undefined;
}

/** What a process knows of the disks, and of what it lands itself. */
export interface StorageParts {
  readonly disk: DiskSpace;
  readonly landing: () => Promise<Landing>;
}

/** What `/api/health` says of each store. */
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
      // A full disk answers every question and takes no insert.
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

/** What `/readyz` says of the stores of the platform. */
export function platformComponents({ database, shared }: Pick<Foundation, 'database' | 'shared'>): ComponentChecks {
  return {
    async postgres(): Promise<ComponentState> {
      await sql`SELECT 1`.execute(database);
      return 'ok';
    },
    redis: () => (shared.state() === 'down' ? 'degraded' : 'ok'),
  };
}
