import kafkajs, { type ICustomPartitioner, type Message, type PartitionerArgs } from 'kafkajs';
import { murmur2 } from './murmur2.ts';

/**
 * Chooses as kafkajs's default does (murmur2 of the key, as the Java client), with two differences. Keys are hashed in linear time. And a message keeps the
 * partition it was given first. kafkajs asks again at each retry, by when the topic may have more partitions. A message that then moved from a partition that
 * is still to be stored to one that is stored already would be taken for sent, and be lost.
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
