import { setTimeout as pause } from 'node:timers/promises';
import {
  decodeConsumerProtocolAssignment,
  encodeConsumerProtocolAssignment,
  encodeConsumerProtocolSubscription,
} from '@platformatic/kafka';
import { KafkaFailure } from '../failure.ts';
import type { KafkaLog } from '../log.ts';
import type { TopicPartition } from '../port.ts';
import { assignInTurn, byTopic, STRATEGY } from './assignment.ts';
import type { Cluster, Layout } from './cluster.ts';
import { createCoordinator, endsGeneration } from './coordinator.ts';
import { commitOffset, readCommitted } from './group-offsets.ts';
import type { JoinGroupResponse, SyncGroupResponse } from './responses.ts';

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

const NO_GENERATION = -1;
/** Half of the metadata age that clients have by default: a new partition is assigned within this time. */
const PARTITION_CHECK_MS = 150_000;

/** Long: its functions share the state of one member. */
export function createGroupMember(cluster: Cluster, options: GroupMemberOptions): GroupMember {
  const { groupId, topics, log, tries } = options;
  const instanceId = options.instanceId ?? null;
  const stopping = new AbortController();
  const coordinator = createCoordinator(cluster, { groupId, tries, log, signal: stopping.signal });
  let memberId = '';
  let generation = NO_GENERATION;
  let moving = new AbortController();
  /** How many partitions this member assigned as the leader of the generation; undefined when another member leads. */
  let dealt: number | undefined;

  async function joinOnce(): Promise<Joined> {
    const layout = await cluster.describe(topics);
    const joined = await cluster.ask<JoinGroupResponse>(
      await coordinator.connection(),
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
    const synced = await cluster.ask<SyncGroupResponse>(
      await coordinator.connection(),
      'SyncGroup',
      groupId,
      joined.generationId,
      memberId,
      instanceId,
      'consumer',
      joined.protocolName ?? STRATEGY,
      assignmentsBy(joined, layout.partitions),
    );
    generation = joined.generationId;
    dealt = joined.leader === memberId ? layout.partitions.length : undefined;
    return { partitions: partitionsOf(synced), layout };
  }

  async function join(): Promise<Joined> {
    while (true) {
      try {
        return await coordinator.retrying(joinOnce);
      } catch (error) {
        if (stopping.signal.aborted || !(error instanceof KafkaFailure) || !endsGeneration(error)) throw error;
        if (error.code === 'MEMBER_ID_REQUIRED') memberId = memberIdOf(error);
        if (error.code === 'UNKNOWN_MEMBER_ID') memberId = '';
      }
    }
  }

  /** True when the coordinator answered; false when it could not be asked. Rejects when the generation is over. */
  async function beat(): Promise<boolean> {
    try {
      const connection = await coordinator.connection();
      await cluster.ask(connection, 'Heartbeat', groupId, generation, memberId, instanceId);
      return true;
    } catch (error) {
      const failure = error as KafkaFailure;
      if (failure.kind !== 'passing' || endsGeneration(failure)) throw error;
      coordinator.forget();
      log.debug({ groupId, err: error }, 'Kafka consumer: heartbeat failed');
      return false;
    }
  }

  async function partitionsChanged(): Promise<boolean> {
    if (dealt === undefined) return false;
    const layout = await cluster.describe(topics).catch(() => undefined);
    return layout !== undefined && layout.partitions.length !== dealt;
  }

  async function beatUntil(over: AbortSignal, onBeat: () => void): Promise<void> {
    for (let checkedMs = performance.now(); ; ) {
      await pause(options.heartbeatIntervalMs, undefined, { signal: over }).catch(() => {});
      if (over.aborted) return;
      if (await beat()) onBeat();
      if (performance.now() - checkedMs < PARTITION_CHECK_MS) continue;
      checkedMs = performance.now();
      if (await partitionsChanged()) return;
    }
  }

  return {
    join,
    async untilMoved(onBeat) {
      moving = new AbortController();
      try {
        await beatUntil(AbortSignal.any([moving.signal, stopping.signal]), onBeat);
      } catch (error) {
        if (!(error instanceof KafkaFailure) || !endsGeneration(error)) throw error;
        if (error.code === 'UNKNOWN_MEMBER_ID') memberId = '';
      }
    },
    move: () => moving.abort(),
    committed: (partitions) => coordinator.retrying(() => readCommitted(cluster, coordinator, groupId, partitions)),
    async commit(partition, nextOffset) {
      const mine = generation;
      try {
        await coordinator.retrying(async () => {
          // Never in another generation: the partition may belong to another member there.
          if (mine !== generation) throw generationOver();
          const identity = { groupId, generation: mine, memberId, instanceId };
          await commitOffset(cluster, coordinator, identity, partition, nextOffset);
        });
        return true;
      } catch (error) {
        if (!endsGeneration(error as KafkaFailure))
          log.warn({ ...partition, err: error }, 'Kafka consumer: commit failed');
        return false;
      }
    },
    async leave() {
      if (memberId === '') return;
      const leaving = [{ memberId, groupInstanceId: instanceId }];
      await cluster.ask(await coordinator.connection(), 'LeaveGroup', groupId, leaving);
    },
    stop: () => stopping.abort(),
  };
}

/** What the leader of the group gives to each member; nothing from the others, and nothing when a static leader is back in an unchanged group. */
function assignmentsBy(
  { leader, memberId, members, skipAssignment }: JoinGroupResponse,
  partitions: readonly TopicPartition[],
): { memberId: string; assignment: Buffer }[] {
  if (leader !== memberId || skipAssignment) return [];
  const dealt = assignInTurn(
    members.map((one) => one.memberId),
    partitions,
  );
  return [...dealt].map(([id, owned]) => ({
    memberId: id,
    assignment: encodeConsumerProtocolAssignment({ version: 0, assignedPartitions: byTopic(owned) }),
  }));
}

function partitionsOf({ assignment }: SyncGroupResponse): TopicPartition[] {
  return decodeConsumerProtocolAssignment(assignment).assignedPartitions.flatMap(({ topic, partitions }) =>
    partitions.map((partition) => ({ topic, partition })),
  );
}

function generationOver(): KafkaFailure {
  const error = Object.assign(new Error('the generation is over'), { type: 'ILLEGAL_GENERATION' });
  return new KafkaFailure('commit', error, 'passing');
}

/** The id that the coordinator gave to a member that joined without one. */
function memberIdOf(failure: KafkaFailure): string {
  for (let link: unknown = failure; link instanceof Error; link = link.cause) {
    const { response } = link as { response?: { memberId?: string } };
    if (response?.memberId !== undefined) return response.memberId;
  }
  return '';
}
