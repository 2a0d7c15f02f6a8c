import type { FastifyBaseLogger } from 'fastify';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { saveTriages } from '#analytics/clickhouse/read-models/detections.ts';
import type { Database } from '#api/postgres/database.ts';
import { markLanded, type TriageRow, waitingDecisions } from '../tables/detection-triage.ts';
import { type Polling, poll } from '../tail/poll.ts';

export interface LandDecisionsDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
}

const BATCH_SIZE = 1_000;

/**
 * Copies decisions from PostgreSQL, their store, to ClickHouse, from which lists are read. Any number of processes may
 * do so concurrently and in any order: in ClickHouse the version with the latest change time wins.
 */
export async function landDecisions(
  { clickhouse, database }: LandDecisionsDeps,
  detectionIds?: readonly string[],
): Promise<{ readonly more: boolean }> {
  const waiting = await waitingDecisions(database, BATCH_SIZE, detectionIds);
  if (waiting.length === 0) return { more: false };
  await saveTriages(clickhouse, waiting.map(decisionOf));
  await markLanded(database, waiting);
  return { more: waiting.length === BATCH_SIZE };
}

/** Retries copying decisions that failed when they were made, until it is stopped. */
export function startLandingDecisions(
  deps: LandDecisionsDeps & { readonly logger: Pick<FastifyBaseLogger, 'warn'> },
  { pauseMs = 5_000 }: { readonly pauseMs?: number } = {},
): Polling {
  return poll(() => landDecisions(deps), {
    pauseMs,
    onError: (err) => deps.logger.warn({ err }, 'cannot copy decisions to ClickHouse'),
  });
}

function decisionOf({ detectionId, changedAt, status, verdict, assignee, note }: TriageRow) {
  return { id: detectionId, changedMs: changedAt.getTime(), status, verdict, assignee, note };
}
