import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { Database } from '#api/postgres/database.ts';
import type { BacktestQueue } from './queue.ts';

/** What the routes of both back-tests share. */
export interface BacktestDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  /** What the rules file says. */
  readonly base: DetectionSettings;
  readonly queue: BacktestQueue;
}

export interface BacktestLimits {
  /** Events that are judged at most. Default 1,000,000. */
  readonly maxEvents?: number;
  /** Of the judging, ms. Default 30,000. */
  readonly maxMs?: number;
}

/** Bounds of the events that are read, and of the judging. */
export function boundsOf({ maxEvents = 1_000_000, maxMs = 30_000 }: BacktestLimits) {
  return { maxEvents, maxMs, maxSeconds: Math.ceil(maxMs / 1_000) + 15 };
}
