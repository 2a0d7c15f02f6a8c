import { setTimeout as pause } from 'node:timers/promises';
import { keyOf } from '../delivery.ts';
import { isTemporary, KafkaFailure } from '../failure.ts';
import type { KafkaLog } from '../log.ts';
import type { TopicPartition } from '../port.ts';
import { byTopic } from './assignment.ts';
import type { Cluster, Layout } from './cluster.ts';
import type { GroupMember, Joined } from './group-member.ts';
import type { ListOffsetsResponse } from './responses.ts';

export interface Start {
  readonly at: TopicPartition;
  readonly offset: number;
}

const RETRY_MS = 500;
const EARLIEST = -2n;
const ANY_REPLICA = -1;
const READ_UNCOMMITTED = 0;

/**
 * Where to begin to read each partition: at the committed offset, else at the first one. Repeats until the brokers answer, or the
 * generation is over.
 * @param expired partitions whose committed offset the broker no longer has
 */
export async function readStarts(
  deps: {
    readonly cluster: Cluster;
    readonly member: GroupMember;
    readonly topics: readonly string[];
    readonly log: KafkaLog;
  },
  { partitions, layout: first }: Joined,
  expired: ReadonlySet<string>,
  over: AbortSignal,
): Promise<Start[]> {
  const { cluster, member, topics, log } = deps;
  for (let layout = first; ; ) {
    try {
      return await startsOf(cluster, member, { partitions, layout }, expired);
    } catch (error) {
      if (!isTemporary(error) || over.aborted) throw error;
      log.debug({ err: error }, 'Kafka consumer: offsets could not be read yet');
      await pause(RETRY_MS, undefined, { signal: over }).catch(() => {});
      layout = await cluster.describe(topics).catch(() => layout);
    }
  }
}

async function startsOf(
  cluster: Cluster,
  member: GroupMember,
  { partitions, layout }: Joined,
  expired: ReadonlySet<string>,
): Promise<Start[]> {
  if (partitions.length === 0) return [];
  const committed = await member.committed(partitions);
  const isKnown = (at: TopicPartition) => committed.has(keyOf(at)) && !expired.has(keyOf(at));
  const earliest = await earliestOf(
    cluster,
    partitions.filter((at) => !isKnown(at)),
    layout,
  );
  return partitions.map((at) => ({ at, offset: (isKnown(at) ? committed : earliest).get(keyOf(at)) ?? 0 }));
}

async function earliestOf(
  cluster: Cluster,
  partitions: readonly TopicPartition[],
  layout: Layout,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const [leader, led] of Map.groupBy(partitions, (at) => leaderOf(at, layout))) {
    const asked = byTopic(led).map(({ topic, partitions: numbers }) => ({
      name: topic,
      partitions: numbers.map((partitionIndex) => ({ partitionIndex, currentLeaderEpoch: -1, timestamp: EARLIEST })),
    }));
    const broker = await cluster.broker(leader);
    const answer = await cluster.ask<ListOffsetsResponse>(broker, 'ListOffsets', ANY_REPLICA, READ_UNCOMMITTED, asked);
    for (const { name, partitions: offsets } of answer.topics)
      for (const { partitionIndex, offset } of offsets) found.set(`${name}/${partitionIndex}`, Number(offset));
  }
  return found;
}

function leaderOf(at: TopicPartition, layout: Layout): number {
  const leader = layout.leaderOf(at);
  if (leader !== undefined) return leader;
  const error = Object.assign(new Error(`${keyOf(at)} has no leader`), { type: 'LEADER_NOT_AVAILABLE' });
  throw new KafkaFailure('list offsets', error, 'passing');
}
