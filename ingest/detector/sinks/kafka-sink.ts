import type { EventProducer, OutgoingMessage } from '#ingest/kafka/port.ts';
import { HEADERS } from '#schemas/topics.ts';
import { traceHeaders } from '#schemas/tracing/trace-context.ts';
import { type EventSink, UndeliveredError } from './event-sink.ts';

export interface KafkaSinkOptions {
  /** How long `close` waits for the broker to take what was written, ms. Default 30 s: until it has restarted, or the topic turns out not to be there. */
  readonly closeTimeoutMs?: number;
}

/**
 * Events onto a topic: key is the hostname (one host's events stay in order), header `ingest-id` where the source has
 * sequence numbers, so that events read twice land once.
 */
export function createKafkaSink(
  producer: EventProducer,
  topic: string,
  { closeTimeoutMs = 30_000 }: KafkaSinkOptions = {},
): EventSink {
  // One send after the other: two in flight could arrive in the wrong order.
  let last: Promise<void> = Promise.resolve();
  let gaveUp = false;

  async function send(messages: readonly OutgoingMessage[]): Promise<void> {
    try {
      if (messages.length > 0) await producer.send(topic, messages);
    } catch (error) {
      throw gaveUp ? new UndeliveredError({ cause: error }) : error;
    }
  }

  return {
    write(events) {
      const messages = events.map(
        ({ json, hostname, ingestId, trace }): OutgoingMessage => ({
          key: hostname,
          value: json,
          ...(ingestId === null && trace === undefined
            ? {}
            : { headers: { ...(ingestId === null ? {} : { [HEADERS.ingestId]: ingestId }), ...traceHeaders(trace) } }),
        }),
      );
      last = last.then(() => send(messages));
      return last;
    },
    async close() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        gaveUp = true;
        resolve();
      }, closeTimeoutMs);
      await Promise.race([last.catch(() => {}), late]);
      clearTimeout(timer);
      await producer.close();
    },
  };
}
