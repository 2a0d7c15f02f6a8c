import { expect, test } from 'vitest';
import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
import { useKafka } from '#test/support/use-services.ts';
import { makeTopic, numbered, silent, testProducer } from './fixture.ts';

test('the end of a partition is the offset after its last record, and 0 without records', async () => {
  const { brokers } = await useKafka();
  const topic = await makeTopic({ brokers });
  const admin = createKafkaAdmin({ log: silent }, { brokers });
  expect(await admin.endOf(topic, 0)).toBe(0);
  await testProducer({ brokers }).send(topic, numbered(0, 5));
  expect(await admin.endOf(topic, 0)).toBe(5);
  expect(await admin.endOf(topic, 1)).toBe(0);
  await admin.close();
});
