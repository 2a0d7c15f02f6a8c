import { beforeAll, describe, expect, test } from 'vitest';
import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
import type { KafkaConnection } from '#ingest/kafka/client.ts';
import { type KafkaService, startKafkaBroker } from '#test/support/services/kafka-broker.ts';
import { randomName, useKafka } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { makeTopic, numbered, recordingConsumer, silent, testProducer } from './fixture.ts';

let service: NonNullable<KafkaService['secured']>;

beforeAll(async () => {
  const { secured } = await useKafka();
  if (secured !== undefined) {
    service = secured;
    return undefined;
  }
  // A broker given by the environment may lack these listeners.
  const own = await startKafkaBroker({ secured: true });
  if (own.secured !== undefined) service = own.secured;
  return () => own.stop();
});

async function sendAndReceive(connection: KafkaConnection): Promise<number> {
  const topic = await makeTopic(connection);
  await testProducer(connection).send(topic, numbered(0, 5));
  const got = recordingConsumer({ connection, groupId: randomName('group'), topics: [topic] });
  await got.consumer.start();
  await waitFor('the records', () => got.records.length === 5);
  return got.records.length;
}

describe.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)('SASL %s', (mechanism) => {
  const sasl = () => ({ mechanism, username: service.username, password: service.password });

  test('without TLS', async () => {
    expect(await sendAndReceive({ brokers: [service.saslPlaintext], sasl: sasl() })).toBe(5);
  });

  test('over TLS', async () => {
    expect(await sendAndReceive({ brokers: [service.saslSsl], sasl: sasl(), tls: { ca: service.ca } })).toBe(5);
  });

  test('a wrong password is a permanent failure and appears in no message', async () => {
    const admin = createKafkaAdmin(
      { log: silent },
      { brokers: [service.saslPlaintext], sasl: { ...sasl(), password: 'wrong-secret' } },
    );
    const error = await admin.describe([]).catch((caught: unknown) => caught);
    await admin.close();
    expect(error).toMatchObject({ name: 'KafkaFailure', kind: 'permanent' });
    expect(String(error)).not.toContain('wrong-secret');
  });
});

describe('TLS', () => {
  test('with the right authority', async () => {
    expect(await sendAndReceive({ brokers: [service.ssl], tls: { ca: service.ca } })).toBe(5);
  });

  test('an unknown authority is a permanent failure', async () => {
    const admin = createKafkaAdmin({ log: silent }, { brokers: [service.ssl], tls: {} });
    const error = await admin.describe([]).catch((caught: unknown) => caught);
    await admin.close();
    expect(error).toMatchObject({ name: 'KafkaFailure', kind: 'permanent' });
  });

  test('the check can be switched off', async () => {
    const admin = createKafkaAdmin({ log: silent }, { brokers: [service.ssl], tls: { rejectUnauthorized: false } });
    expect((await admin.describe([])).brokers).toHaveLength(1);
    await admin.close();
  });
});
