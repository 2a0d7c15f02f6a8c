import type { FastifyBaseLogger } from 'fastify';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { silenceDetections, unsilenceDetections } from '#analytics/clickhouse/read-models/silence-detections.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { Database } from '#api/postgres/database.ts';
import { exceptionsToLand, lockLanding, markExceptionLanded } from '../tables/detection-exceptions.ts';
import { type Polling, poll } from '../tail/poll.ts';
import { exceptionOf, readSettings } from './read-settings.ts';

export interface LandExceptionsDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  /** Settings of the rules file. */
  readonly base: DetectionSettings;
}

/** Number of open detections that each new exception silenced, by exception id. */
export type LandedExceptions = ReadonlyMap<string, number>;

/**
 * Applies changed exceptions to stored detections: a new exception silences the detections that it covers, and an ended
 * one restores them. One process at a time does so, in the order of the changes, so that an ended exception silences
 * nothing afterwards. Idempotent. Returns the number of open detections that each new exception silenced, by exception
 * id.
 */
export async function landExceptions({ clickhouse, database, base }: LandExceptionsDeps): Promise<LandedExceptions> {
  const silenced = new Map<string, number>();
  await database.transaction().execute(async (transaction) => {
    const now = await lockLanding(transaction);
    const waiting = await exceptionsToLand(transaction);
    if (waiting.length === 0) return;
    const { settings } = await readSettings(transaction, base);
    for (const row of waiting) {
      if (row.endedAt === null)
        silenced.set(row.id, await silenceDetections(clickhouse, exceptionOf(row), now.getTime()));
      else await unsilenceDetections(clickhouse, row.id, settings.exceptions, now.getTime());
      await markExceptionLanded(transaction, row);
    }
  });
  return silenced;
}

/** Retries changes that could not be applied when they were made, until it is stopped. */
export function startLandingExceptions(
  deps: LandExceptionsDeps & { readonly logger: Pick<FastifyBaseLogger, 'warn'> },
  { pauseMs = 5_000 }: { readonly pauseMs?: number } = {},
): Polling {
  return poll(
    async () => {
      await landExceptions(deps);
      return { more: false };
    },
    { pauseMs, onError: (err) => deps.logger.warn({ err }, 'cannot apply exceptions to stored detections') },
  );
}
