import type { FastifyBaseLogger } from 'fastify';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { continuedTraces } from '#api/detections/tail/continued-traces.ts';
import { startDetectionOutput } from '#api/detections/tail/detection-output.ts';
import type { Polling } from '#api/detections/tail/poll.ts';
import type { CloudEvent } from '#api/executions/engine/contract/cloud-event.ts';
import { OPERATOR_LANE } from '#api/executions/store/queue-position.ts';
import { insertEvent } from '#api/executions/store/signals.ts';
import type { WorkerLogger } from '#api/leases/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { Detection } from '#schemas/detection.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import { NO_TRACING, type Tracing } from '#schemas/tracing/tracing.ts';
import { type DetectionCause, lanesOfReaders, noteDetection } from '../tables/detection-causes.ts';
import { detectionAttributes } from './detection-attributes.ts';

export interface DetectionEventDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  readonly logger: WorkerLogger & Pick<FastifyBaseLogger, 'warn'>;
  /** Delivers inserted events to waits; see `createFollowUps`. */
  readonly route: () => Promise<void>;
  /** Default: off. */
  readonly tracing?: Tracing | undefined;
}

export interface DetectionEventConfig {
  /** Poll interval for new detections, in ms. Default 1,000. */
  readonly pauseMs?: number;
  /** Minimum time before a growing detection is sent again, in ms. Default 10,000. */
  readonly againMs?: number;
}

export const DETECTION_SOURCE = 'trapline://detections';

/**
 * Sends detections as events for `listen` and `schedule.on`: `trapline.detection.opened` for a new one,
 * `trapline.detection.grown` for later revisions. The detection tail delivers each at least once. The record that it
 * was sent and its events are one transaction. So each revision is sent exactly once to each account that may read
 * detections, even after a crash.
 */
export function startDetectionEvents(deps: DetectionEventDeps, config: DetectionEventConfig = {}): Polling {
  const { clickhouse, database, logger, tracing = NO_TRACING } = deps;
  const { pauseMs = 1_000, againMs = 10_000 } = config;
  const deliver = async (detections: readonly Detection[]) =>
    publishDetections(deps, detections, await continuedTraces({ clickhouse, tracing }, detections));
  return startDetectionOutput({ clickhouse, database, logger, deliver }, { name: 'workflows', pauseMs, againMs });
}

/**
 * Sends detections in order, and skips those already sent. `traces`: trace contexts for the executions that they start,
 * by id.
 */
export async function publishDetections(
  { database, route }: Pick<DetectionEventDeps, 'database' | 'route'>,
  detections: readonly Detection[],
  traces: ReadonlyMap<string, TraceContext> = new Map(),
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const lanes = await lanesOfReaders(transaction, OPERATOR_LANE);
    for (const detection of detections) {
      const cause = await noteDetection(transaction, detection.id, detection.revision);
      if (cause === undefined) continue;
      for (const lane of lanes)
        await insertEvent(transaction, detectionEvent(detection, cause), lane, { trace: traces.get(detection.id) });
    }
  });
  await route();
}

/**
 * Builds the event. Attributes for filters are outside of the data: `with: { type: trapline.detection.opened, severity:
 * high|critical, hostname: web-1 }`.
 */
export function detectionEvent(detection: Detection, cause: DetectionCause): CloudEvent {
  const { id, revision } = detection;
  return {
    specversion: '1.0',
    id: `${id}:${revision}`,
    source: DETECTION_SOURCE,
    type: `trapline.detection.${cause}`,
    time: detection.lastSeen,
    ...detectionAttributes(detection),
  };
}
