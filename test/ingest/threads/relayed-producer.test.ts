import { expect, it } from 'vitest';
import { isTemporary, isTooLarge, KafkaFailure } from '#ingest/kafka/failure.ts';
import type { OutgoingMessage } from '#ingest/kafka/port.ts';
import { createRelayedProducer, sendFor } from '#ingest/threads/relayed-producer.ts';

/** A producer that receives structured clones, as between threads. */
function relayed(send: (topic: string, messages: readonly OutgoingMessage[]) => Promise<void>) {
  return createRelayedProducer(async (sending) => {
    const { topic, messages } = structuredClone(sending);
    return structuredClone(await sendFor({ send }, topic, messages));
  });
}

it('passes messages on unchanged', async () => {
  const sent: unknown[] = [];
  const messages = [
    { key: Buffer.from('k'), value: Buffer.from([0, 255]), headers: { id: 'x', raw: Buffer.from('y') } },
    { key: null, value: 'text' },
  ];
  await relayed(async (topic, given) => void sent.push({ topic, given })).send('t', messages);
  expect(sent).toEqual([{ topic: 't', given: messages }]);
});

it('fails like the producer, with the properties that callers check', async () => {
  const failing = (code: string) =>
    relayed(() => Promise.reject(new KafkaFailure('store messages', Object.assign(new Error('no'), { code }))))
      .send('t', [])
      .catch((error: unknown) => ({ temporary: isTemporary(error), tooLarge: isTooLarge(error) }));
  expect(await failing('ECONNREFUSED')).toEqual({ temporary: true, tooLarge: false });
  expect(await failing('MESSAGE_TOO_LARGE')).toEqual({ temporary: false, tooLarge: true });
  const defect = relayed(() => Promise.reject(new TypeError('a defect'))).send('t', []);
  await expect(defect).rejects.toThrow('a defect');
});
