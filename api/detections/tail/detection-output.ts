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
  /** Takes detections, oldest first. When it rejects, the same detections are delivered again. */
  readonly deliver: (detections: readonly Detection[]) => Promise<void> | void;
}

export interface DetectionOutputConfig {
  /** Names the output: its cursor is kept under it. */
  readonly name: string;
  /** How often new ones are looked for, ms. Default 2,000. */
  readonly pauseMs?: number;
  /** Minimum time before a growing detection is delivered again, ms. Default 30,000: a flood of identical alerts hides others. */
  readonly againMs?: number;
}

/** A state as it is kept. */
export const tailState = z.object({
  beganMs: z.number(),
  toldMs: z.number(),
  recent: z.record(z.string(), z.tuple([z.number(), z.number()])),
}) satisfies z.ZodType<TailState>;

/**
 * Hands every detection that lands to one output, at least once, by one process at a time: the cursor is a row whose lock says who serves,
 * so after a crash another process continues within a pause. It begins with what lands from now on.
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
    { pauseMs, onError: (error) => logger.warn({ output: name, err: error }, 'detections wait to be handed on') },
  );
}
