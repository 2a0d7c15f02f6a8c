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

const AT_ONCE = 1_000;

/**
 * Brings decisions from PostgreSQL, which keeps them, into ClickHouse, where lists are read from. Any number of processes may do so at
 * once and in any order: of several versions of a decision the one that was made last counts there.
 */
export async function landDecisions(
  { clickhouse, database }: LandDecisionsDeps,
  detectionIds?: readonly string[],
): Promise<{ readonly more: boolean }> {
  const waiting = await waitingDecisions(database, AT_ONCE, detectionIds);
  if (waiting.length === 0) return { more: false };
  await saveTriages(clickhouse, waiting.map(decisionOf));
  await markLanded(database, waiting);
  return { more: waiting.length === AT_ONCE };
}

/** Goes on landing decisions that could not be when they were made, until it is stopped. */
export function startLandingDecisions(
  deps: LandDecisionsDeps & { readonly logger: Pick<FastifyBaseLogger, 'warn'> },
  { pauseMs = 5_000 }: { readonly pauseMs?: number } = {},
): Polling {
  return poll(() => landDecisions(deps), {
    pauseMs,
    onError: (err) => deps.logger.warn({ err }, 'decisions about detections wait to get into lists'),
  });
}

function decisionOf({ detectionId, changedAt, status, verdict, assignee, note }: TriageRow) {
  return { id: detectionId, changedMs: changedAt.getTime(), status, verdict, assignee, note };
}
