import type { EventProducer, OutgoingMessage } from '#ingest/kafka/port.ts';
import { HEADERS } from '#schemas/topics.ts';
import { traceHeaders } from '#schemas/tracing/trace-context.ts';
import { type EventSink, type OutgoingEvent, UndeliveredError } from './event-sink.ts';

export interface KafkaSinkOptions {
  /**
   * How long `close` waits for the broker to accept all events, ms. Default 30 s: enough for a broker restart, or to
   * find that the topic does not exist.
   */
  readonly closeTimeoutMs?: number;
}

/** The messages of one request. */
interface Request {
  readonly messages: OutgoingMessage[];
  /** Resolves when this request and all earlier ones have been sent. */
  readonly sent: Promise<void>;
}

/**
 * Sends events to a topic. The key is the host name, which keeps the events of a host in order. The header `ingest-id`
 * is set if the source has sequence numbers, so that an event that is read twice is stored once. Writes during a
 * request share the next one, so requests grow if the broker is slow.
 */
export function createKafkaSink(
  producer: EventProducer,
  topic: string,
  { closeTimeoutMs = 30_000 }: KafkaSinkOptions = {},
): EventSink {
  /** Accepts writes until it is sent. */
  let open: Request | undefined;
  let last: Promise<void> = Promise.resolve();
  let gaveUp = false;

  function openRequest(): Request {
    const messages: OutgoingMessage[] = [];
    // One request at a time, because two in flight could arrive in the wrong order. After a failed request, no other is
    // sent.
    last = last.then(() => send(messages));
    return { messages, sent: last };
  }

  async function send(messages: readonly OutgoingMessage[]): Promise<void> {
    open = undefined;
    try {
      await producer.send(topic, messages);
    } catch (error) {
      throw gaveUp ? new UndeliveredError({ cause: error }) : error;
    }
  }

  return {
    write(events) {
      if (events.length === 0) return last;
      open ??= openRequest();
      for (const event of events) open.messages.push(messageOf(event));
      return open.sent;
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

function messageOf({ json, hostname, ingestId, trace }: OutgoingEvent): OutgoingMessage {
  return {
    key: hostname,
    value: json,
    ...(ingestId === null && trace === undefined
      ? {}
      : { headers: { ...(ingestId === null ? {} : { [HEADERS.ingestId]: ingestId }), ...traceHeaders(trace) } }),
  };
}
