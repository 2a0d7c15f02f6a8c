import type { FastifyBaseLogger } from 'fastify';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { serverClock } from '#analytics/clickhouse/read-models/landed-detections.ts';
import type { Detection } from '#schemas/detection.ts';
import { type Polling, poll } from './poll.ts';
import { readTail, type TailState, tailFrom } from './read-tail.ts';

export interface WatchDetectionsDeps {
  readonly clickhouse: ClickHouse;
  readonly logger: Pick<FastifyBaseLogger, 'warn'>;
}

/** Delivers detections that are new or grow from now on. No position is stored. */
export function watchDetections(
  { clickhouse, logger }: WatchDetectionsDeps,
  onDetection: (detection: Detection) => void,
  { pauseMs = 1_000, againMs = 5_000 }: { readonly pauseMs?: number; readonly againMs?: number } = {},
): Polling {
  const startedAt = performance.now();
  let state: TailState | undefined;
  return poll(
    async () => {
      state ??= tailFrom((await serverClock(clickhouse)) - Math.ceil(performance.now() - startedAt));
      const read = await readTail(clickhouse, state, { againMs });
      state = read.state;
      for (const detection of read.detections) onDetection(detection);
      return read;
    },
    { pauseMs, onError: (error) => logger.warn({ err: error }, 'cannot poll detections for the live feed') },
  );
}
