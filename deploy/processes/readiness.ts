import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import type { ComponentChecks, ComponentState } from '#api/http/ports.ts';
import type { BrokerCheck } from '#ingest/kafka/broker-check.ts';
import type { EventConsumer } from '#ingest/kafka/port.ts';
import type { LaneStats } from '#ingest/pipeline/pipeline-lane.ts';
import type { DiskSpace } from './disk-space.ts';
import { isFailing, landingOf } from './observe-landing.ts';

/** A consumer fetches several times a second even when nothing comes; silence for this long means Kafka is away or it is stuck. */
const FETCH_SILENCE_MS = 15_000;
/** ClickHouse that takes longer to say nothing is away. Less than a part may take to say how it is: silent ones are down. */
export const ANSWER_MS = 1_500;

/**
 * What `/readyz` says of each part this process has. `withoutClickHouse` is what it is while ClickHouse is away: `down` when that leaves it nothing
 * to do, `degraded` when it serves accounts and executions meanwhile, and is not to be taken from behind a balancer.
 */
export function observeStores(parts: {
  readonly clickhouse: ClickHouse;
  readonly withoutClickHouse: 'down' | 'degraded';
  readonly consumer?: EventConsumer | undefined;
  /** Of the topic that events are written to. */
  readonly brokers?: BrokerCheck | undefined;
  readonly lanes: () => Promise<readonly LaneStats[]>;
  readonly disk: DiskSpace;
}): ComponentChecks {
  const { clickhouse, withoutClickHouse, consumer, brokers, lanes, disk } = parts;
  return {
    async clickhouse(): Promise<ComponentState> {
      try {
        const [landing] = await Promise.all([
          lanes(),
          clickhouse.rows('answer', 'SELECT 1', { signal: AbortSignal.timeout(ANSWER_MS) }),
        ]);
        // A full disk answers every question and takes no insert.
        return isFailing(landingOf(landing, Date.now())) ? withoutClickHouse : 'ok';
      } catch {
        return withoutClickHouse;
      }
    },
    async disk(): Promise<ComponentState> {
      return (await disk.state()) === 'low' ? 'degraded' : 'ok';
    },
    async pipeline(): Promise<ComponentState> {
      const states = (await lanes()).map(({ state }) => state);
      if (states.includes('failed')) return 'down';
      return states.includes('opening') ? 'degraded' : 'ok';
    },
    ...((consumer ?? brokers) && {
      async kafka(): Promise<ComponentState> {
        const answers = await (brokers?.isUp() ?? true);
        return answers && (consumer === undefined || isFetching(consumer)) ? 'ok' : 'degraded';
      },
    }),
  };
}

/** False when Kafka is away, or the consumer is stuck. */
export function isFetching(consumer: EventConsumer): boolean {
  return Date.now() - consumer.stats().lastFetchAt < FETCH_SILENCE_MS;
}
