import type { EventProducer, OutgoingMessage } from '#ingest/kafka/port.ts';
import { HEADERS } from '#schemas/topics.ts';
import { traceHeaders } from '#schemas/tracing/trace-context.ts';
import { type EventSink, type OutgoingEvent, UndeliveredError } from './event-sink.ts';

export interface KafkaSinkOptions {
  /** How long `close` waits for the broker to take what was written, ms. Default 30 s: until it has restarted, or the topic turns out not to be there. */
  readonly closeTimeoutMs?: number;
}

/** Messages of one request. */
interface Request {
  readonly messages: OutgoingMessage[];
  /** Its end, and that of all before it. */
  readonly sent: Promise<void>;
}

/**
 * Events onto a topic: key is the hostname (one host's events stay in order), header `ingest-id` where the source has
 * sequence numbers, so that events read twice land once. Writes that come while a request is in flight share the next one: the slower the broker,
 * the larger the requests.
 */
export function createKafkaSink(
  producer: EventProducer,
  topic: string,
  { closeTimeoutMs = 30_000 }: KafkaSinkOptions = {},
): EventSink {
  /** Takes in writes until its turn comes. */
  let open: Request | undefined;
  let last: Promise<void> = Promise.resolve();
  let gaveUp = false;

  function openRequest(): Request {
    const messages: OutgoingMessage[] = [];
    // One request after the other: two in flight could arrive in the wrong order. After one that failed no other is sent.
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
