import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '@platformatic/kafka';
import type { KafkaFailure } from '../failure.ts';
import type { KafkaLog } from '../log.ts';
import type { Cluster } from './cluster.ts';
import type { FindCoordinatorResponse } from './responses.ts';

/** The broker that coordinates a consumer group. It may become another one at any time. */
export interface Coordinator {
  connection(): Promise<Connection>;
  /** The next request asks for the coordinator again. */
  forget(): void;
  /** Repeats what fails and passes, up to the number of tries. Answers by which the coordinator ends a generation are not repeated. */
  retrying<T>(action: () => Promise<T>): Promise<T>;
}

/** The coordinator answers so when the member has to join again. */
const MOVED = new Set(['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'MEMBER_ID_REQUIRED']);

export function endsGeneration({ code }: KafkaFailure): boolean {
  return MOVED.has(code);
}

const FIRST_BACKOFF_MS = 100;
const LAST_BACKOFF_MS = 3_000;
const GROUP = 0;

export function createCoordinator(
  cluster: Cluster,
  config: {
    readonly groupId: string;
    /** Tries of one request after failures that pass. */
    readonly tries: number;
    readonly log: KafkaLog;
    /** Ends the tries. */
    readonly signal: AbortSignal;
  },
): Coordinator {
  const { groupId, tries, log, signal } = config;
  let brokerId: number | undefined;

  async function connection(): Promise<Connection> {
    if (brokerId === undefined) {
      const from = await cluster.anyBroker();
      const { coordinators } = await cluster.ask<FindCoordinatorResponse>(from, 'FindCoordinator', GROUP, [groupId]);
      brokerId = coordinators[0]?.nodeId;
    }
    return cluster.broker(brokerId ?? -1);
  }

  return {
    connection,
    forget() {
      brokerId = undefined;
    },
    async retrying(action) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await action();
        } catch (error) {
          const failure = error as KafkaFailure;
          if (failure.kind !== 'passing' || endsGeneration(failure) || signal.aborted) throw error;
          brokerId = undefined;
          if (attempt >= tries) throw error;
          log.debug({ groupId, err: error }, 'Kafka consumer: request failed and is repeated');
          const backoff = Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
          await pause(backoff * (0.8 + Math.random() * 0.4), undefined, { signal }).catch(() => {});
          if (signal.aborted) throw error;
        }
      }
    },
  };
}
