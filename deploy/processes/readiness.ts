import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import type { ComponentChecks, ComponentState } from '#api/http/ports.ts';
import type { BrokerCheck } from '#ingest/kafka/broker-check.ts';
import type { EventConsumer } from '#ingest/kafka/port.ts';
import type { LaneStats } from '#ingest/pipeline/pipeline-lane.ts';
import type { DiskSpace } from './disk-space.ts';
import { isFailing, landingOf } from './observe-landing.ts';

/**
 * A consumer fetches several times a second even without new records. Silence for this long means that Kafka is
 * unavailable or the consumer is stuck.
 */
const FETCH_SILENCE_MS = 15_000;
/**
 * A ClickHouse that takes longer for a trivial query is unavailable. Shorter than the timeout of a part's health check.
 */
export const ANSWER_MS = 1_500;

/**
 * Returns the store checks of `/readyz` for this process. `withoutClickHouse` is its state while ClickHouse is
 * unavailable: `down` if the process must not become ready before ClickHouse responds, `degraded` if it still serves
 * accounts and executions. `beforeJoin` is its state until the consumer has first joined its group.
 */
export function observeStores(parts: {
  readonly clickhouse: ClickHouse;
  readonly withoutClickHouse: 'down' | 'degraded';
  readonly consumer?: EventConsumer | undefined;
  readonly beforeJoin?: 'down' | 'degraded';
  /** Check of the topic to which events are written. */
  readonly brokers?: BrokerCheck | undefined;
  readonly lanes: () => Promise<readonly LaneStats[]>;
  readonly disk: DiskSpace;
}): ComponentChecks {
  const { clickhouse, withoutClickHouse, consumer, beforeJoin = 'degraded', brokers, lanes, disk } = parts;
  return {
    async clickhouse(): Promise<ComponentState> {
      try {
        const [landing] = await Promise.all([
          lanes(),
          clickhouse.rows('answer', 'SELECT 1', { signal: AbortSignal.timeout(ANSWER_MS) }),
        ]);
        // A server with a full disk responds to every query but accepts no insert.
        return isFailing(landingOf(landing, Date.now())) ? withoutClickHouse : 'ok';
      } catch {
        return withoutClickHouse;
      }
    },
    async disk(): Promise<ComponentState> {
      return (await disk.state()) === 'low' ? 'degraded' : 'ok';
    },
    ...((consumer ?? brokers) && {
      async kafka(): Promise<ComponentState> {
        if (consumer?.stats().rebalances === 0) return beforeJoin;
        const answers = await (brokers?.isUp() ?? true);
        return answers && (consumer === undefined || isFetching(consumer)) ? 'ok' : 'degraded';
      },
    }),
  };
}

/** Returns the lane checks of `/readyz` for this process. */
export function observeLanes(lanes: () => Promise<readonly Pick<LaneStats, 'state'>[]>): ComponentChecks {
  return {
    async pipeline(): Promise<ComponentState> {
      const states = (await lanes()).map(({ state }) => state);
      if (states.includes('failed')) return 'down';
      return states.includes('opening') ? 'degraded' : 'ok';
    },
  };
}

/** Returns false if Kafka is unavailable, or the consumer is stuck. */
export function isFetching(consumer: EventConsumer): boolean {
  return Date.now() - consumer.stats().lastFetchAt < FETCH_SILENCE_MS;
}
