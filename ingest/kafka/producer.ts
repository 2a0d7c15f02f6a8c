import type { KafkaConnection } from './client.ts';
import { COMPRESSION_TYPES, type Compression } from './codecs.ts';
import { cutMessages } from './cut-messages.ts';
import type { KafkaLog } from './log.ts';
import type { EventProducer } from './port.ts';
import { closedFailure, createTopicSender, type TopicSender } from './topic-sender.ts';

export interface EventProducerConfig {
  readonly connection: KafkaConnection;
  /** Default: none. */
  readonly compression?: Compression | undefined;
  /**
   * Maximum size of the messages of one request. Brokers reject batches above `max.message.bytes` (1,048,588 by
   * default). Default 900,000.
   */
  readonly maxRequestBytes?: number | undefined;
  /**
   * Retries of one request under the same sequence number, within which the broker stores it once. Default 12, about 25
   * s: the duration of a broker restart. Also the time until a missing topic is reported.
   */
  readonly tries?: number | undefined;
}

const MAX_REQUEST_BYTES = 900_000;

/**
 * Creates a producer with acks=all and deduplication by the broker. The order of calls is kept per topic. Temporary
 * failures are retried until `close`; permanent ones reject with a `KafkaFailure` (`isTooLarge` for a message above the
 * topic's limit). Delivery is at least once: a request whose response was lost is sent again.
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
