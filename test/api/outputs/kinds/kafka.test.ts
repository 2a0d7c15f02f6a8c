import { expect, onTestFinished, test } from 'vitest';
import { openKafka } from '#api/outputs/kinds/kafka.ts';
import { isTooLarge } from '#ingest/kafka/failure.ts';
import { createEventProducer } from '#ingest/kafka/producer.ts';
import { makeTopic } from '#test/ingest/kafka/fixture.ts';
import { QUIET_LOG } from '#test/support/quiet-log.ts';
import { readTopic } from '#test/support/read-topic.ts';
import { useKafka } from '#test/support/use-services.ts';
import { failure } from '../deliveries.ts';
import { message } from '../fixture.ts';

test('records have the host as key; a message that is too large is rejected alone; a missing broker is a temporary failure', async () => {
  const { brokers } = await useKafka();
  const connection = { brokers };
  const topic = await makeTopic(connection, { partitions: 1 });
  const openProducer = () => createEventProducer({ log: QUIET_LOG }, { connection });
  const output = openKafka({ openProducer, isTooLarge }, { topic });
  onTestFinished(() => output.close());
  const batch = [message(), message({ message: 'x'.repeat(3_000_000) }), message()];
  const refused = await failure(output.deliver(batch, AbortSignal.timeout(20_000)));
  expect(refused).toMatchObject({ kind: 'permanent', delivered: 1 });
  await output.deliver(batch.slice(2), AbortSignal.timeout(20_000));
  const records = await readTopic(brokers, topic);
  expect(
    records.map(({ key, headers }) => [
      key?.toString(),
      headers['detection-id']?.toString(),
      headers['detection-revision']?.toString(),
    ]),
  ).toEqual([batch[0], batch[2]].map((one) => ['edge-1', one?.detection.id, '1']));

  const away = openKafka(
    {
      openProducer: () => createEventProducer({ log: QUIET_LOG }, { connection: { brokers: ['127.0.0.1:1'] } }),
      isTooLarge,
    },
    { topic },
  );
  expect(await failure(away.deliver([message()], AbortSignal.timeout(300)))).toMatchObject({
    kind: 'temporary',
    message: 'the brokers did not acknowledge in time',
  });
});
