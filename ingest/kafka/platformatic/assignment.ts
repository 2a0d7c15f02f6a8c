import type { TopicPartition } from '../port.ts';

/**
 * The name of the assignment strategy, the one that kafkajs offers under: all members of a group must share one, also while processes with
 * the one and the other client are replaced by each other.
 */
export const STRATEGY = 'RoundRobinAssigner';

/** Deals the partitions in turn to the members, in the order of their ids. */
export function assignInTurn(
  memberIds: readonly string[],
  partitions: readonly TopicPartition[],
): Map<string, TopicPartition[]> {
  const sorted = [...memberIds].sort();
  const dealt = new Map<string, TopicPartition[]>(sorted.map((id) => [id, []]));
  for (const [index, partition] of partitions.entries())
    dealt.get(sorted[index % sorted.length] as string)?.push(partition);
  return dealt;
}

/** Partition numbers by topic, the form of the protocol. */
export function byTopic(partitions: readonly TopicPartition[]): { topic: string; partitions: number[] }[] {
  const topics = new Map<string, number[]>();
  for (const { topic, partition } of partitions) {
    const numbers = topics.get(topic);
    if (numbers === undefined) topics.set(topic, [partition]);
    else numbers.push(partition);
  }
  return [...topics].map(([topic, numbers]) => ({ topic, partitions: numbers }));
}
