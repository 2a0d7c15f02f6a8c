import type { KafkaConnection } from './client.ts';
import { COMPRESSION_TYPES, type Compression } from './codecs.ts';
import { cutMessages } from './cut-messages.ts';
import type { KafkaLog } from './log.ts';
import type { EventProducer } from './port.ts';
import { closedFailure, createTopicSender, type TopicSender } from './topic-sender.ts';

export interface EventProducerConfig {
  readonly connection: KafkaConnection;
  /** Default none. */
  readonly compression?: Compression | undefined;
  /** Messages of one request are held below this: brokers refuse batches over `max.message.bytes` (1,048,588 by default). Default 900,000. */
  readonly maxRequestBytes?: number | undefined;
  /**
   * Tries of one request under the same number, within which the broker stores it once. Default 12, about 25 s: as long as a broker
   * takes to restart. Also how long it takes to find out that a topic is not there.
   */
  readonly tries?: number | undefined;
}

const MAX_REQUEST_BYTES = 900_000;

/**
 * Sends with acks=all and broker-side de-duplication, in the order of the calls for each topic. Passing failures are repeated until
 * `close`; permanent ones reject with a `KafkaFailure` (`isTooLarge` for a message over the topic's limit). At least once: a
 * request whose answer was lost for good is sent again.
 */
export function createEventProducer({ log }: { readonly log: KafkaLog }, config: EventProducerConfig): EventProducer {
  const { connection, maxRequestBytes = MAX_REQUEST_BYTES, tries } = config;
  const compression = COMPRESSION_TYPES[config.compression ?? 'none'];
  const senders = new Map<string, TopicSender>();
  let closed = false;

  return {
    async send(topic, messages, options) {
      if (closed) throw closedFailure();
      if (messages.length === 0) return;
      const sender = senders.get(topic) ?? createTopicSender({ log }, { connection, topic, compression, tries });
      senders.set(topic, sender);
      await sender.send(cutMessages(messages, maxRequestBytes), options);
    },
    async close() {
      closed = true;
      await Promise.all([...senders.values()].map((sender) => sender.close()));
    },
  };
}
