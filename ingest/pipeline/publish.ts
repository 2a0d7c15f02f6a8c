import type { Detection } from '#schemas/detection.ts';
import type { Rejection } from '#schemas/events/accepted.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { HEADERS, type RecordIdentity } from '#schemas/topics.ts';
import { type TraceContext, traceHeaders } from '#schemas/tracing/trace-context.ts';
import type { EventProducer, OutgoingMessage } from '../kafka/port.ts';

/** A rejected record as published to the dead-letter topic. */
export interface DeadLetterMessage {
  readonly identity: RecordIdentity;
  readonly key: Buffer | null;
  readonly value: Buffer;
  readonly rejection: Rejection;
  /** Milliseconds since the epoch. */
  readonly receivedMs: number;
}

/** Outputs of the pipeline by name. Steps do not know topic names. */
export interface Publisher {
  /** `traceOf` returns the trace context that consumers of a detection continue. */
  detections(
    announced: readonly Detection[],
    traceOf?: (detection: Detection) => TraceContext | undefined,
  ): Promise<void>;
  deadLetters(messages: readonly DeadLetterMessage[]): Promise<void>;
}

/** Publishes nothing. Used without Kafka; ClickHouse stores everything. */
export const noTopics: Publisher = { detections: async () => {}, deadLetters: async () => {} };

export interface TopicNames {
  readonly detections: string;
  readonly deadLetters: string;
}

/**
 * Publishes detections and dead letters, at least once. `isTooLarge` returns true for the broker's error about an
 * oversized message. Such a dead letter is sent without its value, and the header `raw-omitted` holds the number of
 * bytes. ClickHouse stores the complete value.
 */
export function createTopicPublisher(
  producer: Pick<EventProducer, 'send'>,
  topics: TopicNames,
  isTooLarge: (error: unknown) => boolean,
): Publisher {
  return {
    async detections(announced, traceOf = () => undefined) {
      const messages = announced.flatMap((detection) => detectionMessage(detection, traceOf(detection)));
      if (announced.length > 0) await producer.send(topics.detections, messages);
    },
    async deadLetters(messages) {
      if (messages.length === 0) return;
      try {
        await producer.send(topics.deadLetters, messages.map(deadLetterMessage));
      } catch (error) {
        if (!isTooLarge(error)) throw error;
        for (const message of messages) await sendOrOmit(message);
      }
    },
  };

  async function sendOrOmit(message: DeadLetterMessage): Promise<void> {
    const whole = deadLetterMessage(message);
    try {
      await producer.send(topics.deadLetters, [whole]);
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      const headers = { ...whole.headers, 'raw-omitted': String(message.value.length) };
      await producer.send(topics.deadLetters, [{ key: null, value: '', headers }]);
    }
  }
}

/** A detection without a RegisterProbe event is not published, because the topic carries V1 events only. */
function detectionMessage(detection: Detection, trace: TraceContext | undefined): OutgoingMessage[] {
  if (detection.event === null) return [];
  return [
    {
      key: detection.hostname,
      value: stringifyExact(detection.event),
      headers: {
        [HEADERS.detectionId]: detection.id,
        [HEADERS.detectionRevision]: String(detection.revision),
        ...traceHeaders(trace),
      },
    },
  ];
}

function deadLetterMessage({ identity, key, value, rejection, receivedMs }: DeadLetterMessage): OutgoingMessage {
  return {
    key,
    value,
    headers: {
      code: rejection.code,
      path: rejection.path,
      message: rejection.message,
      topic: identity.topic,
      partition: String(identity.partition),
      offset: String(identity.offset),
      received: new Date(receivedMs).toISOString(),
    },
  };
}
