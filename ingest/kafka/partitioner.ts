import kafkajs, { type ICustomPartitioner, type Message, type PartitionerArgs } from 'kafkajs';
import { murmur2 } from './murmur2.ts';

/**
 * Chooses the same partition as the default of kafkajs (murmur2 of the key, as the Java client), with two differences.
 * Keys are hashed in linear time, and a message keeps its first partition. kafkajs partitions again at each retry, when
 * the topic may have more partitions. If a message then moved to a partition whose messages are already stored, it
 * would count as sent, and be lost.
 */
export const createSteadyPartitioner: ICustomPartitioner = () => {
  const byTurns = kafkajs.Partitioners.DefaultPartitioner();
  const chosen = new WeakMap<Message, number>();
  return (args) => {
    const { message } = args;
    let partition = chosen.get(message);
    if (partition === undefined) {
      partition = message.key === undefined || message.key === null ? byTurns(args) : partitionOf(message.key, args);
      chosen.set(message, partition);
    }
    return partition;
  };
};

function partitionOf(key: Buffer | string, { partitionMetadata }: PartitionerArgs): number {
  return (murmur2(Buffer.isBuffer(key) ? key : Buffer.from(key)) & 0x7fffffff) % partitionMetadata.length;
}
