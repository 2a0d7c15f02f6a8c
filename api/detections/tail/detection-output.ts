import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { serverClock } from '#analytics/clickhouse/read-models/landed-detections.ts';
import type { Database } from '#api/postgres/database.ts';
import type { Detection } from '#schemas/detection.ts';
import { claimCursor, ensureCursor, moveCursor } from './output-cursors.ts';
import { type Polling, poll } from './poll.ts';
import { readTail, type TailState, tailFrom } from './read-tail.ts';

export interface DetectionOutputDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  readonly logger: Pick<FastifyBaseLogger, 'warn'>;
  /** Delivers detections, oldest first. If it rejects, the same detections are delivered again. */
  readonly deliver: (detections: readonly Detection[]) => Promise<void> | void;
}

export interface DetectionOutputConfig {
  /** Name of the output and of its stored cursor. */
  readonly name: string;
  /** Poll interval, ms. Default 2,000. */
  readonly pauseMs?: number;
  /**
   * Minimum time before a growing detection is delivered again, ms. Default 30,000, because a flood of identical alerts
   * hides others.
   */
  readonly againMs?: number;
}

/** Schema of the stored cursor state. */
export const tailState = z.object({
  beganMs: z.number(),
  toldMs: z.number(),
  recent: z.record(z.string(), z.tuple([z.number(), z.number()])),
}) satisfies z.ZodType<TailState>;

/**
 * Delivers every new detection to one output, at least once, in one process at a time. The lock on the cursor row
 * selects the process. After a crash, another process continues within one poll interval. A new output begins with
 * detections that are stored from now on.
 */
export function startDetectionOutput(deps: DetectionOutputDeps, config: DetectionOutputConfig): Polling {
  const { clickhouse, database, logger, deliver } = deps;
  const { name, pauseMs = 2_000, againMs = 30_000 } = config;
  let ensured = false;

  return poll(
    async () => {
      if (!ensured) await ensureCursor(database, name, tailFrom(await serverClock(clickhouse)));
      ensured = true;
      return database.transaction().execute(async (transaction) => {
        const cursor = await claimCursor(transaction, name);
        if (cursor === undefined) return { more: false };
        const before = tailState.parse(cursor.state);
        const { detections, state, more } = await readTail(clickhouse, before, { againMs });
        if (detections.length > 0) await deliver(detections);
        await moveCursor(transaction, name, state);
        return { more };
      });
    },
    { pauseMs, onError: (error) => logger.warn({ output: name, err: error }, 'cannot deliver detections') },
  );
}
