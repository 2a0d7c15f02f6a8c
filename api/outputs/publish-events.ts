import { createFollowUps } from '#api/executions/engine/follow-ups.ts';
import { OPERATOR_LANE } from '#api/executions/store/queue-position.ts';
import { insertEvent } from '#api/executions/store/signals.ts';
import type { WorkerLogger } from '#api/leases/port.ts';
import { createWakeUp } from '#api/leases/wake-up.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { lanesOfReaders } from '#api/workflows/tables/detection-causes.ts';
import type { PublishEvents } from './reach.ts';

/** Publishes events to the workflows of all users who may read detections, atomically. */
export function createPublishEvents({
  database,
  logger,
}: {
  readonly database: Database;
  readonly logger: WorkerLogger;
}): PublishEvents {
  const { route } = createFollowUps({ database, logger, wakeUp: createWakeUp({ database, logger }) });
  return async (events, trace) => {
    await inTransaction(database, async (transaction) => {
      const lanes = await lanesOfReaders(transaction, OPERATOR_LANE);
      for (const event of events) for (const lane of lanes) await insertEvent(transaction, event, lane, { trace });
    });
    await route();
  };
}
