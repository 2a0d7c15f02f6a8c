import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { Database } from '#api/postgres/database.ts';
import type { BacktestQueue } from './queue.ts';

/** Dependencies of the routes of both back-tests. */
export interface BacktestDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  /** Settings of the rules file. */
  readonly base: DetectionSettings;
  readonly queue: BacktestQueue;
}

export interface BacktestLimits {
  /** Maximum number of events that a back-test judges. Default 1,000,000. */
  readonly maxEvents?: number;
  /** Time limit of the judging, ms. Default 30,000. */
  readonly maxMs?: number;
}

/** Returns the limits for reading and for judging events. */
export function boundsOf({ maxEvents = 1_000_000, maxMs = 30_000 }: BacktestLimits) {
  return { maxEvents, maxMs, maxSeconds: Math.ceil(maxMs / 1_000) + 15 };
}
