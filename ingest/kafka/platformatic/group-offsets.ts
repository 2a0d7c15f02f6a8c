import type { TopicPartition } from '../port.ts';
import { byTopic } from './assignment.ts';
import type { Cluster } from './cluster.ts';
import type { Coordinator } from './coordinator.ts';
import type { OffsetFetchResponse } from './responses.ts';

/** The member of a generation, as the coordinator knows it. */
export interface MemberIdentity {
  readonly groupId: string;
  readonly generation: number;
  readonly memberId: string;
  readonly instanceId: string | null;
}

/** The committed offsets of the partitions that have one, by `topic/partition`. */
export async function readCommitted(
  cluster: Cluster,
  coordinator: Coordinator,
  groupId: string,
  partitions: readonly TopicPartition[],
): Promise<Map<string, number>> {
  const topics = byTopic(partitions).map(({ topic, partitions: partitionIndexes }) => ({
    name: topic,
    partitionIndexes,
  }));
  const { groups } = await cluster.ask<OffsetFetchResponse>(
    await coordinator.connection(),
    'OffsetFetch',
    [{ groupId, memberId: null, memberEpoch: -1, topics }],
    false,
  );
  const found = (groups[0]?.topics ?? []).flatMap(({ name, partitions: offsets }) =>
    offsets.map((one) => [`${name}/${one.partitionIndex}`, Number(one.committedOffset)] as const),
  );
  return new Map(found.filter(([, offset]) => offset >= 0));
}

export async function commitOffset(
  cluster: Cluster,
  coordinator: Coordinator,
  { groupId, generation, memberId, instanceId }: MemberIdentity,
  { topic, partition }: TopicPartition,
  nextOffset: number,
): Promise<void> {
  const committing = {
    partitionIndex: partition,
    committedOffset: BigInt(nextOffset),
    committedLeaderEpoch: -1,
    committedMetadata: null,
  };
  const topics = [{ name: topic, partitions: [committing] }];
  await cluster.ask(await coordinator.connection(), 'OffsetCommit', groupId, generation, memberId, instanceId, topics);
}
