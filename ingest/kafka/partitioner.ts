import kafkajs, { type ICustomPartitioner, type Message } from 'kafkajs';
import { murmur2 } from './murmur2.ts';

/**
 * Chooses as kafkajs's default does (murmur2 of the key, as the Java client), with two differences. Keys are hashed in linear time. And a message without a key keeps the partition it
 * was given first. kafkajs asks again at each retry, and when one of two brokers has answered already, a message that then
 * moves from the other one's partition to its is taken for sent and lost.
 */
export const createSteadyPartitioner: ICustomPartitioner = () => {
  const byTurns = kafkajs.Partitioners.DefaultPartitioner();
  const chosen = new WeakMap<Message, number>();
  return (args) => {
    const { message, partitionMetadata } = args;
    const { key } = message;
    if (key !== undefined && key !== null) {
      return (murmur2(Buffer.isBuffer(key) ? key : Buffer.from(key)) & 0x7fffffff) % partitionMetadata.length;
    }
    const known = chosen.get(message);
    if (known !== undefined) return known;
    const partition = byTurns(args);
    chosen.set(message, partition);
    return partition;
  };
};
