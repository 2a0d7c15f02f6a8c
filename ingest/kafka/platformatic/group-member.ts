import { setTimeout as pause } from 'node:timers/promises';
import {
  type Connection,
  decodeConsumerProtocolAssignment,
  encodeConsumerProtocolAssignment,
  encodeConsumerProtocolSubscription,
} from '@platformatic/kafka';
import { KafkaFailure } from '../failure.ts';
import type { KafkaLog } from '../log.ts';
import type { TopicPartition } from '../port.ts';
import { assignInTurn, byTopic, STRATEGY } from './assignment.ts';
import type { Cluster, Layout } from './cluster.ts';
import type {
  FindCoordinatorResponse,
  JoinGroupResponse,
  OffsetFetchResponse,
  SyncGroupResponse,
} from './responses.ts';

/*
 * A member of a consumer group by the classic protocol, with an eager assignment:
 *
 *   join ──► untilMoved: heartbeats ──► join …
 *
 * The library has a group member of its own. Ours replaces it because that one joins again, and commits again in the new generation, when a
 * commit is rejected, and because two members under one static name take the group from each other without end (docs/decisions/kafka-client.md).
 */

export interface GroupMemberOptions {
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly instanceId: string | undefined;
  readonly sessionTimeoutMs: number;
  readonly rebalanceTimeoutMs: number;
  readonly heartbeatIntervalMs: number;
  /** Tries of one request after failures that pass. */
  readonly tries: number;
  readonly log: KafkaLog;
}

export interface Joined {
  readonly partitions: readonly TopicPartition[];
  readonly layout: Layout;
}

export interface GroupMember {
  /** Joins the group, or joins it again, and resolves when the group has a new generation. */
  join(): Promise<Joined>;
  /** Heartbeats until the generation is over. `onBeat` is called after each heartbeat that the coordinator answered. */
  untilMoved(onBeat: () => void): Promise<void>;
  /** Ends the generation before the coordinator does. */
  move(): void;
  /** The committed offsets of the partitions that have one, by `topic/partition`. */
  committed(partitions: readonly TopicPartition[]): Promise<Map<string, number>>;
  /** False when the generation is over, or the coordinator could not be asked. */
  commit(partition: TopicPartition, nextOffset: number): Promise<boolean>;
  leave(): Promise<void>;
  /** Ends everything that waits. */
  stop(): void;
}

/** The coordinator answers so when the member has to join again. */
const MOVED = new Set(['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'MEMBER_ID_REQUIRED']);
const FIRST_BACKOFF_MS = 100;
const LAST_BACKOFF_MS = 3_000;
const GROUP = 0;
const NO_GENERATION = -1;
/** Half of the metadata age that clients have by default: a new partition is assigned within this time. */
const PARTITION_CHECK_MS = 150_000;

/** Long: its functions share the state of one member. */
export function createGroupMember(cluster: Cluster, options: GroupMemberOptions): GroupMember {
  const { groupId, topics, log } = options;
  const instanceId = options.instanceId ?? null;
  const stopping = new AbortController();
  let memberId = '';
  let generation = NO_GENERATION;
  let coordinatorId: number | undefined;
  let moving = new AbortController();
  /** Partitions dealt by this member as the leader of the generation; undefined when another member leads. */
  let dealt: number | undefined;

  async function coordinator(): Promise<Connection> {
    if (coordinatorId === undefined) {
      const { coordinators } = await cluster.ask<FindCoordinatorResponse>(
        await cluster.anyBroker(),
        'FindCoordinator',
        GROUP,
        [groupId],
      );
      coordinatorId = coordinators[0]?.nodeId;
    }
    return cluster.broker(coordinatorId ?? -1);
  }

  /** Repeats what fails and passes, up to the number of tries, or until `signal`. The coordinator may be another one each time. */
  async function retrying<T>(action: () => Promise<T>, signal: AbortSignal = stopping.signal): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await action();
      } catch (error) {
        const failure = error as KafkaFailure;
        if (failure.kind !== 'passing' || MOVED.has(failure.code) || signal.aborted) throw error;
        coordinatorId = undefined;
        if (attempt >= options.tries) throw error;
        log.debug({ groupId, err: error }, 'Kafka consumer: request failed and is repeated');
        const backoff = Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
        await pause(backoff * (0.8 + Math.random() * 0.4), undefined, { signal }).catch(() => {});
        if (signal.aborted) throw error;
      }
    }
  }

  async function joinOnce(): Promise<Joined> {
    const layout = await cluster.describe(topics);
    const joined = await cluster.ask<JoinGroupResponse>(
      await coordinator(),
      'JoinGroup',
      groupId,
      options.sessionTimeoutMs,
      options.rebalanceTimeoutMs,
      memberId,
      instanceId,
      'consumer',
      [{ name: STRATEGY, metadata: encodeConsumerProtocolSubscription({ version: 0, topics: [...topics] }) }],
      '',
    );
    memberId = joined.memberId;
    const leads = joined.leader === memberId;
    dealt = leads ? layout.partitions.length : undefined;
    const dealing =
      leads && !joined.skipAssignment
        ? assignInTurn(
            joined.members.map((one) => one.memberId),
            layout.partitions,
          )
        : new Map();
    const synced = await cluster.ask<SyncGroupResponse>(
      await coordinator(),
      'SyncGroup',
      groupId,
      joined.generationId,
      memberId,
      instanceId,
      'consumer',
      joined.protocolName ?? STRATEGY,
      [...dealing].map(([id, partitions]) => ({
        memberId: id,
        assignment: encodeConsumerProtocolAssignment({ version: 0, assignedPartitions: byTopic(partitions) }),
      })),
    );
    generation = joined.generationId;
    const { assignedPartitions } = decodeConsumerProtocolAssignment(synced.assignment);
    const partitions = assignedPartitions.flatMap(({ topic, partitions: numbers }) =>
      numbers.map((partition) => ({ topic, partition })),
    );
    return { partitions, layout };
  }

  async function join(): Promise<Joined> {
    while (true) {
      try {
        return await retrying(joinOnce);
      } catch (error) {
        if (stopping.signal.aborted || !(error instanceof KafkaFailure) || !MOVED.has(error.code)) throw error;
        if (error.code === 'MEMBER_ID_REQUIRED') memberId = memberIdOf(error);
        if (error.code === 'UNKNOWN_MEMBER_ID') memberId = '';
      }
    }
  }

  /** True when the coordinator answered; false when it could not be asked. Rejects when the generation is over. */
  async function beat(): Promise<boolean> {
    try {
      await cluster.ask(await coordinator(), 'Heartbeat', groupId, generation, memberId, instanceId);
      return true;
    } catch (error) {
      const failure = error as KafkaFailure;
      if (failure.kind !== 'passing' || MOVED.has(failure.code)) throw error;
      coordinatorId = undefined;
      log.debug({ groupId, err: error }, 'Kafka consumer: heartbeat failed');
      return false;
    }
  }

  async function partitionsChanged(): Promise<boolean> {
    if (dealt === undefined) return false;
    const layout = await cluster.describe(topics).catch(() => undefined);
    return layout !== undefined && dealt !== undefined && layout.partitions.length !== dealt;
  }

  return {
    join,
    async untilMoved(onBeat) {
      const { signal } = moving;
      let checkedMs = performance.now();
      try {
        while (!signal.aborted && !stopping.signal.aborted) {
          const either = AbortSignal.any([signal, stopping.signal]);
          await pause(options.heartbeatIntervalMs, undefined, { signal: either }).catch(() => {});
          if (either.aborted) break;
          if (await beat()) onBeat();
          if (performance.now() - checkedMs < PARTITION_CHECK_MS) continue;
          checkedMs = performance.now();
          if (await partitionsChanged()) break;
        }
      } catch (error) {
        if (!(error instanceof KafkaFailure) || !MOVED.has(error.code)) throw error;
        if (error.code === 'UNKNOWN_MEMBER_ID') memberId = '';
      } finally {
        moving = new AbortController();
      }
    },
    move: () => moving.abort(),
    committed: (partitions) =>
      retrying(async () => {
        const { groups } = await cluster.ask<OffsetFetchResponse>(
          await coordinator(),
          'OffsetFetch',
          [
            {
              groupId,
              memberId: null,
              memberEpoch: -1,
              topics: byTopic(partitions).map(({ topic, partitions: partitionIndexes }) => ({
                name: topic,
                partitionIndexes,
              })),
            },
          ],
          false,
        );
        const found = (groups[0]?.topics ?? []).flatMap(({ name, partitions: offsets }) =>
          offsets.map((one) => [`${name}/${one.partitionIndex}`, Number(one.committedOffset)] as const),
        );
        return new Map(found.filter(([, offset]) => offset >= 0));
      }),
    async commit({ topic, partition }, nextOffset) {
      const mine = generation;
      const committing = {
        partitionIndex: partition,
        committedOffset: BigInt(nextOffset),
        committedLeaderEpoch: -1,
        committedMetadata: null,
      };
      try {
        await retrying(async () => {
          if (mine !== generation)
            throw new KafkaFailure(
              'commit',
              Object.assign(new Error('the generation is over'), { type: 'ILLEGAL_GENERATION' }),
              'passing',
            );
          await cluster.ask(await coordinator(), 'OffsetCommit', groupId, mine, memberId, instanceId, [
            { name: topic, partitions: [committing] },
          ]);
        });
        return true;
      } catch (error) {
        const failure = error as KafkaFailure;
        if (!MOVED.has(failure.code)) log.warn({ topic, partition, err: error }, 'Kafka consumer: commit failed');
        return false;
      }
    },
    async leave() {
      if (memberId === '') return;
      await cluster.ask(await coordinator(), 'LeaveGroup', groupId, [{ memberId, groupInstanceId: instanceId }]);
    },
    stop: () => stopping.abort(),
  };
}

/** The id that the coordinator gave to a member that joined without one. */
function memberIdOf(failure: KafkaFailure): string {
  for (let link: unknown = failure; link instanceof Error; link = link.cause) {
    const { response } = link as { response?: { memberId?: string } };
    if (response?.memberId !== undefined) return response.memberId;
  }
  return '';
}
