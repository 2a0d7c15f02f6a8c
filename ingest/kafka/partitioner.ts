import kafkajs, { type ICustomPartitioner, type Message } from 'kafkajs';

/**
 * kafkajs's default (murmur2 of the key, as the Java client), with one difference: a message without a key keeps the partition it
 * was given first. kafkajs asks again at each retry, and when one of two brokers has answered already, a message that then
 * moves from the other one's partition to its is taken for sent and lost.
 */
export const createSteadyPartitioner: ICustomPartitioner = () => {
  const byKey = kafkajs.Partitioners.DefaultPartitioner();
  const chosen = new WeakMap<Message, number>();
  return (args) => {
    const { message } = args;
    if (message.key !== undefined && message.key !== null) return byKey(args);
    const known = chosen.get(message);
    if (known !== undefined) return known;
    const partition = byKey(args);
    chosen.set(message, partition);
    return partition;
  };
};
