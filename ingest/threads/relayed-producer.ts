import { KafkaFailure } from '../kafka/failure.ts';
import type { EventProducer, OutgoingMessage } from '../kafka/port.ts';

/** Result of a send in a form that can be sent to another thread. The class and fields of an error cannot. */
export type SendOutcome = 'sent' | { readonly code: string; readonly kind: KafkaFailure['kind'] };

/** Sends through the producer of another thread. Rejects with the same errors. */
export function createRelayedProducer(
  send: (sending: { topic: string; messages: readonly OutgoingMessage[] }) => Promise<SendOutcome>,
): Pick<EventProducer, 'send'> {
  return {
    async send(topic, messages) {
      const outcome = await send({ topic, messages });
      if (outcome === 'sent') return;
      const { code, kind } = outcome;
      throw new KafkaFailure('store messages', Object.assign(new Error(code), { code }), kind);
    },
  };
}

/** Sends on behalf of another thread. Rethrows errors that are not from Kafka. */
export async function sendFor(
  producer: Pick<EventProducer, 'send'>,
  topic: string,
  messages: readonly OutgoingMessage[],
): Promise<SendOutcome> {
  try {
    await producer.send(topic, messages.map(restored));
    return 'sent';
  } catch (error) {
    if (!(error instanceof KafkaFailure)) throw error;
    return { code: error.code, kind: error.kind };
  }
}

/** Structured cloning turns a Buffer into a Uint8Array. */
function restored({ key, value, headers }: OutgoingMessage): OutgoingMessage {
  return {
    key: asBuffer(key),
    value: asBuffer(value),
    ...(headers && {
      headers: Object.fromEntries(Object.entries(headers).map(([name, one]) => [name, asBuffer(one)])),
    }),
  };
}

function asBuffer<Value extends Buffer | string | null>(value: Value): Value {
  const bytes: unknown = value;
  if (!(bytes instanceof Uint8Array) || Buffer.isBuffer(bytes)) return value;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) as Value;
}
