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
  /** Where detections land; undefined: no workflow begins by them here. */
  readonly clickhouse: ClickHouse | undefined;
  /** Default: off. */
  readonly tracing?: Tracing | undefined;
}

export interface TriggerConfig {
  /** How often to look, ms. Default 1,000. */
  readonly pauseMs?: number;
  /** Epoch ms. */
  readonly now?: () => number;
  readonly detections?: DetectionEventConfig;
}

const SWEEP_MS = 3_600_000;

/**
 * Begins executions by clock, by events and by detections, from now until it is stopped. Every worker process does it; a cause is taken by one of them, once.
 * Schedules are those of current versions: a release is noticed within a second.
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

/** Causes are kept longer than anything that could come again: events a day, signatures ten minutes, detections as long as they grow. */
async function sweep(database: Database): Promise<void> {
  await sql`DELETE FROM trigger_occurrences WHERE at < now() - interval '30 days'`.execute(database);
  await sql`DELETE FROM detection_causes WHERE told_at < now() - interval '90 days'`.execute(database);
  await sql`
    DELETE FROM trigger_gathered AS g
    WHERE NOT EXISTS (SELECT FROM execution_events AS e WHERE e.seq = g.event_seq)`.execute(database);
}
