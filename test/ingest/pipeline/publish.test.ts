import { expect, it } from 'vitest';
import { isTooLarge } from '#ingest/kafka/failure.ts';
import { createTopicPublisher } from '#ingest/pipeline/publish.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import { readTopic } from '#test/support/read-topic.ts';
import { useKafka } from '#test/support/use-services.ts';
import { makeTopic, testProducer } from '../kafka/fixture.ts';

it('publishes a dead letter without its bytes if it is too large for the topic', async () => {
  const { brokers } = await useKafka();
  const topics = { detections: 'unused', deadLetters: await makeTopic({ brokers }) };
  const publisher = createTopicPublisher(testProducer({ brokers }), topics, isTooLarge);
  const field = 'x'.repeat(1_048_500);
  const value = Buffer.from(
    `{"version":"V1","timestamp":"2026-03-01T00:00:00Z","hostname":"h","event":{"type":"LinuxFatalSignal","facility":"Kern","level":"Info",` +
      `"signal":"SIGSEGV","stack_dump":{"${field}":1}}}`,
  );
  const rejection = readEvent(value.toString());
  if (rejection.ok) throw new Error('the field has the wrong type');
  const identity = { topic: 'events.v1', partition: 0, offset: 7 };
  await publisher.deadLetters([{ identity, key: null, value, rejection, receivedMs: Date.now() }]);
  const [letter] = await readTopic(brokers, topics.deadLetters);
  expect(String(letter?.headers.offset)).toBe('7');
  expect(String(letter?.headers.code)).toBe('wrong_type');
  expect(String(letter?.headers['raw-omitted'])).toBe(String(value.length));
});
