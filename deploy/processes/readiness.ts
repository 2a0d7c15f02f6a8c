import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import type { ComponentChecks, ComponentState } from '#api/ports.ts';
import type { EventConsumer } from '#ingest/kafka/port.ts';
import type { PipelineLane } from '#ingest/pipeline/pipeline-lane.ts';

/** A consumer fetches several times a second even when nothing comes; silence for this long means Kafka is away or it is stuck. */
const FETCH_SILENCE_MS = 15_000;

/** What `/readyz` says of each part this process has. */
export function observeStores(parts: {
  readonly clickhouse: ClickHouse;
  readonly consumer?: EventConsumer | undefined;
  readonly lanes: () => readonly PipelineLane[];
}): ComponentChecks {
  const { clickhouse, consumer, lanes } = parts;
  return {
    async clickhouse(): Promise<ComponentState> {
      await clickhouse.rows('answer', 'SELECT 1');
      return 'ok';
    },
    pipeline(): ComponentState {
      const states = lanes().map((lane) => lane.stats().state);
      if (states.includes('failed')) return 'down';
      return states.includes('opening') ? 'degraded' : 'ok';
    },
    ...(consumer && {
      kafka(): ComponentState {
        return isFetching(consumer) ? 'ok' : 'degraded';
      },
    }),
  };
}

/** False when Kafka is away, or the consumer is stuck. */
export function isFetching(consumer: EventConsumer): boolean {
  return Date.now() - consumer.stats().lastFetchAt < FETCH_SILENCE_MS;
}
