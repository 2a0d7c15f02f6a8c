import { z } from 'zod';
import { connectionProblem } from '#schemas/connection-problem.ts';
import { HEADERS } from '#schemas/topics.ts';
import { messageId, messageJson } from '../message-json.ts';
import { defineOutputKind } from '../output-kind.ts';
import { type Output, OutputFailure } from '../port.ts';
import type { KafkaAccess, TopicMessage, TopicProducer } from '../reach.ts';

const settings = z.strictObject({
  topic: z
    .string()
    .regex(/^(?!\.{1,2}$)[\w.-]{1,249}$/, 'must be a topic name')
    .meta({ title: 'Topic', description: 'An existing topic of the brokers that this installation uses' }),
});

export const kind = defineOutputKind({
  label: 'Kafka',
  description: 'Sends one record for each detection to a topic of the brokers that this installation uses.',
  order: 4,
  settings,
  secrets: z.strictObject({}),
  receiver: ['topic'],
  unavailable: ({ kafka }) => (kafka === undefined ? 'this installation has no Kafka: set KAFKA_BROKERS' : undefined),
  open: ({ reach, settings }) => openKafka(reach.kafka as KafkaAccess, settings),
});

const MAX_BATCH = 100;
/**
 * Maximum bytes of messages in one request of the producer. It could split larger requests, of which only some might be
 * stored.
 */
const MAX_REQUEST_BYTES = 256 * 1024;

/**
 * Sends JSON to a topic. The key is the host, so that messages of one host stay in order on one partition. The headers
 * `detection-id` and `detection-revision` identify duplicates, as on the topic of detections. If the brokers do not
 * accept messages in time, the producer is closed before a retry; otherwise it would continue to send the old ones.
 */
export function openKafka({ openProducer, isTooLarge }: KafkaAccess, { topic }: z.output<typeof settings>): Output {
  let current: TopicProducer | undefined;

  async function drop(): Promise<void> {
    const old = current;
    current = undefined;
    await old?.close();
  }

  async function send(batch: readonly TopicMessage[], signal: AbortSignal): Promise<void> {
    current ??= openProducer();
    const late = Promise.withResolvers<never>();
    const onAbort = () => late.reject(new OutputFailure('temporary', 'the brokers did not acknowledge in time'));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const sent = current.send(topic, batch);
      sent.catch(() => {}); // closing the producer rejects it after a time-out
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

  /** A missing topic or permission is temporary: messages wait until the operator corrects it. */
  function failureOf(error: unknown, delivered: number): OutputFailure {
    const problem = connectionProblem(error);
    const message = error instanceof Error ? error.message : String(error);
    const text = problem === undefined ? message : `cannot send to the brokers: ${problem}`;
    return new OutputFailure(isTooLarge(error) ? 'permanent' : 'temporary', text, { delivered, cause: error });
  }

  return {
    maxBatch: MAX_BATCH,
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
      if (bytes <= MAX_REQUEST_BYTES)
        await send(messages, signal).catch((error: unknown) => {
          // The limit of the topic may be lower, and the brokers do not report which message was too large.
          if (isTooLarge(error) && messages.length > 1) return sendEach(messages, signal);
          throw failureOf(error, 0);
        });
      else await sendEach(messages, signal);
      return {
        answer: `the brokers stored ${batch.length === 1 ? '1 record' : `${batch.length} records`} in ${topic}`,
      };
    },
    close: drop,
  };
}
