import type { EventProducer, OutgoingMessage } from '#ingest/kafka/port.ts';
import type { EventSink } from './event-sink.ts';

/**
 * Events onto a topic: key is the hostname (one host's events stay in order), header `ingest-id` where the source has
 * sequence numbers, so that events read twice land once.
 */
export function createKafkaSink(producer: EventProducer, topic: string): EventSink {
  // One send after the other: two under way could overtake each other.
  let last: Promise<void> = Promise.resolve();
  return {
    write(events) {
      const messages = events.map(
        ({ json, hostname, ingestId }): OutgoingMessage => ({
          key: hostname,
          value: json,
          ...(ingestId === null ? {} : { headers: { 'ingest-id': ingestId } }),
        }),
      );
      last = last.then(() => (messages.length === 0 ? undefined : producer.send(topic, messages)));
      return last;
    },
    close: () => producer.close(),
  };
}
