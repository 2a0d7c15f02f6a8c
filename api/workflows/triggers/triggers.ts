import { sql } from 'kysely';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { type Polling, poll } from '#api/detections/tail/poll.ts';
import { createFollowUps } from '#api/executions/engine/follow-ups.ts';
import { createWakeUp } from '#api/leases/wake-up.ts';
import type { Database } from '#api/postgres/database.ts';
import type { Tracing } from '#schemas/tracing/tracing.ts';
import { type DetectionEventConfig, type DetectionEventDeps, startDetectionEvents } from './detection-events.ts';
import { type EventTriggerDeps, fireEvents } from './event-triggers.ts';
import { fireAfter, fireSchedules } from './schedules.ts';
import { syncTriggers } from './sync-triggers.ts';

export interface TriggerDeps extends EventTriggerDeps {
  readonly database: Database;
  readonly logger: DetectionEventDeps['logger'];
  /** Source of detections. If undefined, detections start no workflows here. */
  readonly clickhouse: ClickHouse | undefined;
  /** Default: off. */
  readonly tracing?: Tracing | undefined;
}

export interface TriggerConfig {
  /** Poll interval in ms. Default 1,000. */
  readonly pauseMs?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly detections?: DetectionEventConfig;
}

const SWEEP_MS = 3_600_000;

/**
 * Starts executions for schedules, events and detections until it is stopped. Every worker process runs it, and each
 * cause is handled once. It uses the schedules of current versions: a release takes effect within a second.
 */
export function createTriggers(deps: TriggerDeps, config: TriggerConfig = {}): Polling {
  const { database, logger, clickhouse, tracing } = deps;
  const { pauseMs = 1_000, now = Date.now } = config;
  const { route } = createFollowUps({ database, logger, wakeUp: createWakeUp({ database, logger }) });
  let sweptAt = Number.NEGATIVE_INFINITY;

  const clock = poll(
    async () => {
      const synced = await syncTriggers(database, now);
      const moreDue = await fireSchedules(deps, now());
      await fireAfter(deps, now());
      const moreEvents = await fireEvents(deps);
      if (now() - sweptAt > SWEEP_MS) {
        sweptAt = now();
        await sweep(database);
      }
      return { more: synced > 0 || moreDue || moreEvents };
    },
    { pauseMs, onError: (error) => logger.warn({ err: error }, 'triggers wait for the database') },
  );
  const detections =
    clickhouse === undefined
      ? undefined
      : startDetectionEvents({ clickhouse, database, logger, route, tracing }, config.detections);
  return {
    async stop() {
      await Promise.all([clock.stop(), detections?.stop()]);
    },
  };
}

/**
 * Deletes handled causes once they cannot recur. The limits exceed that time: events recur within a day, signatures
 * within ten minutes, and detections while they grow.
 */
async function sweep(database: Database): Promise<void> {
  await sql`DELETE FROM trigger_occurrences WHERE at < now() - interval '30 days'`.execute(database);
  await sql`DELETE FROM detection_causes WHERE told_at < now() - interval '90 days'`.execute(database);
  await sql`
    DELETE FROM trigger_gathered AS g
    WHERE NOT EXISTS (SELECT FROM execution_events AS e WHERE e.seq = g.event_seq)`.execute(database);
}
