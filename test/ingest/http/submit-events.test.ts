import { expect, it } from 'vitest';
import { createTopicSubmission } from '#ingest/http/submit-events.ts';
import { isTooLarge } from '#ingest/kafka/failure.ts';
import { createValidateStep } from '#ingest/pipeline/validate.ts';
import { readTopic } from '#test/support/read-topic.ts';
import { useKafka } from '#test/support/use-services.ts';
import { makeTopic, testProducer } from '../kafka/fixture.ts';

async function openSubmission(partitions: number) {
  const { brokers } = await useKafka();
  const topic = await makeTopic({ brokers }, { partitions });
  const submit = createTopicSubmission({
    producer: testProducer({ brokers }),
    topic,
    limits: { maxBytes: 2 ** 20 },
    validate: createValidateStep({ signalDialect: 'v1' }),
    isTooLarge,
    maxBytesInFlight: 64 * 2 ** 20,
  });
  const send = (texts: readonly string[], idempotencyKey?: string) =>
    submit({ items: texts.map((text, index) => ({ index, text: Buffer.from(text) })), idempotencyKey });
  return { send, stored: () => readTopic(brokers, topic) };
}

function event(hostname: string | null, more = ''): string {
  return (
    `{"version":"V1","timestamp":"2026-03-01T00:00:00Z","hostname":${JSON.stringify(hostname)},"event":{"type":"LinuxSuppressedCallback",` +
    `"facility":"Kern","level":"Info","function_name":"show_signal_msg","count":1},"more":"${more}"}`
  );
}

it('rejects events that are too large for the topic, and accepts the others of the request', async () => {
  const { send, stored } = await openSubmission(1);
  const fits = event('h', 'x'.repeat(900_000));
  const tooLarge = event('h', 'x'.repeat(2_000_000));
  // Within the size limit of a record, but above that of the topic when the key is included.
  const justTooLarge = event('h'.repeat(600_000), 'x'.repeat(440_000));
  const answer = await send([event('a'), tooLarge, fits, justTooLarge, event('b')]);
  expect(answer).toMatchObject({
    accepted: 3,
    rejected: [
      { index: 1, code: 'record_too_large' },
      { index: 3, code: 'record_too_large' },
    ],
  });
  const lengths = (await stored()).map(({ value }) => value?.length ?? 0).sort((a, b) => a - b);
  expect(lengths).toEqual([event('a').length, event('b').length, 16_384, 16_384, fits.length]);
});

it('sends a repeated event without a host to the partition of the first, where it is recognised', async () => {
  const { send, stored } = await openSubmission(8);
  const events = Array.from({ length: 40 }, () => event(null));
  await send(events, 'same');
  await send(events, 'same');
  const partitions = new Map<string, Set<number>>();
  for (const { headers, partition } of await stored()) {
    const id = String(headers['ingest-id']);
    partitions.set(id, (partitions.get(id) ?? new Set()).add(partition));
  }
  expect(partitions.size).toBe(40);
  expect([...partitions.values()].filter((of) => of.size > 1)).toEqual([]);
});
