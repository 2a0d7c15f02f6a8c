import type { OutputSettings } from '#schemas/api/outputs.ts';
import { HEADERS } from '#schemas/topics.ts';
import { messageId, messageJson } from '../message-json.ts';
import { type Output, OutputFailure } from '../port.ts';

interface TopicMessage {
  readonly key: string | null;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A producer as this room needs it; `deploy/` hands in the one of the pipeline. */
export interface TopicProducer {
  /** Resolves when the brokers have all messages, in their order; passing failures it repeats by itself until it is closed. */
  send(topic: string, messages: readonly TopicMessage[]): Promise<void>;
  close(): Promise<void>;
}

export interface KafkaAccess {
  readonly openProducer: () => TopicProducer;
  /** Whether the brokers refuse this message for its size. */
  readonly isTooLarge: (error: unknown) => boolean;
}

const AT_ONCE = 100;
/** What is sent together is one request; more than this the producer could cut into several, of which some are stored and some are not. */
const ONE_REQUEST_BYTES = 256 * 1024;

/**
 * Sends JSON to a topic, keyed by host so that what concerns one host stays in order on its partition; the headers `detection-id` and
 * `detection-revision` identify repeats, as on the topic of detections. A producer whose messages are not taken in time is closed before they are tried
 * again: else it would go on sending them behind our back.
 */
export function openKafka({ openProducer, isTooLarge }: KafkaAccess, { topic }: OutputSettings<'kafka'>): Output {
  let current: TopicProducer | undefined;

  async function drop(): Promise<void> {
    const old = current;
    current = undefined;
    await old?.close();
  }

  async function send(batch: readonly TopicMessage[], signal: AbortSignal): Promise<void> {
    current ??= openProducer();
    const late = Promise.withResolvers<never>();
    const onAbort = () => late.reject(new OutputFailure('temporary', 'the brokers did not take it in time'));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const sent = current.send(topic, batch);
      sent.catch(() => {}); // when it is late, closing rejects it
      await Promise.race([sent, late.promise]);
    } catch (error) {
      await drop();
      throw error;
    } finally {
      late.promise.catch(() => {});
      signal.removeEventListener('abort', onAbort);
    }
  }

  async function sendEach(messages: readonly TopicMessage[], signal: AbortSignal): Promise<void> {
    for (const [delivered, message] of messages.entries())
      await send([message], signal).catch((error: unknown) => {
        throw failureOf(error, delivered);
      });
  }

  /** A missing topic or permission is for the operator to correct; everything waits for it. */
  function failureOf(error: unknown, delivered: number): OutputFailure {
    const text = error instanceof Error ? error.message : String(error);
    return new OutputFailure(isTooLarge(error) ? 'permanent' : 'temporary', text, { delivered, cause: error });
  }

  return {
    atOnce: AT_ONCE,
    async deliver(batch, signal) {
      const messages = batch.map((message) => ({
        key: message.detection.hostname,
        value: messageJson(message),
        headers: {
          'message-id': messageId(message),
          [HEADERS.detectionId]: message.detection.id,
          [HEADERS.detectionRevision]: String(message.detection.revision),
        },
      }));
      const bytes = messages.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0);
      if (bytes <= ONE_REQUEST_BYTES)
        await send(messages, signal).catch((error: unknown) => {
          // A topic may permit less than that, and the brokers do not say which of several it was.
          if (isTooLarge(error) && messages.length > 1) return sendEach(messages, signal);
          throw failureOf(error, 0);
        });
      else await sendEach(messages, signal);
      return { answer: `the brokers have ${batch.length === 1 ? 'it' : `all ${batch.length}`} in ${topic}` };
    },
    close: drop,
  };
}
