import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createTopicSubmission } from '#ingest/http/submit-events.ts';
import { type BrokerCheck, createBrokerCheck } from '#ingest/kafka/broker-check.ts';
import { isTooLarge } from '#ingest/kafka/failure.ts';
import { createEventProducer } from '#ingest/kafka/producer.ts';
import { createValidateStep } from '#ingest/pipeline/validate.ts';
import { QUIET_LOG } from '#test/support/quiet-log.ts';
import { readTopic } from '#test/support/read-topic.ts';
import { startKafkaBroker } from '#test/support/services/kafka-broker.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { makeTopic } from './fixture.ts';

/** Regression: a process reported Kafka as healthy for 48 s while the broker was dead and every request waited. */

const broker = await startKafkaBroker();
const { brokers } = broker;
const connection = { brokers };
let topic: string;
beforeAll(async () => {
  topic = await makeTopic({ brokers }, { partitions: 1 });
});
afterAll(() => broker.stop());

const event = (n: number) =>
  `{"version":"V1","n":${n},"timestamp":"2026-03-01T00:00:00Z","hostname":"h","event":{"type":"ConfigMismatch","key":"k","expected_value":"1","observed_value":"2"}}`;

function openSubmission({ isUp, timeoutMs }: { isUp?: BrokerCheck['isUp']; timeoutMs: number }) {
  const producer = createEventProducer({ log: QUIET_LOG }, { connection });
  onTestFinished(() => producer.close());
  const submit = createTopicSubmission({
    producer,
    topic,
    limits: { maxBytes: 2 ** 20 },
    validate: createValidateStep({ signalDialect: 'v1' }),
    isTooLarge,
    maxBytesInFlight: 64 * 2 ** 20,
    timeoutMs,
    ...(isUp === undefined ? {} : { isUp }),
  });
  return (n: number, idempotencyKey?: string) =>
    submit({ items: [{ index: 0, text: Buffer.from(event(n)) }], idempotencyKey });
}

async function stored(n: number): Promise<number> {
  const records = await readTopic(brokers, topic);
  return records.filter(({ value }) => value?.toString() === event(n)).length;
}

test('the check detects a frozen, a dead and a restarted broker', async () => {
  const check = createBrokerCheck({ connection, topic, timeoutMs: 1_000, freshMs: 50 });
  onTestFinished(() => check.close());
  const becomes = (up: boolean) => waitFor(`the check to say ${up}`, async () => (await check.isUp()) === up);
  await becomes(true);
  await broker.freeze();
  await becomes(false);
  await broker.thaw();
  await becomes(true);
  await broker.kill9();
  await becomes(false);
  await broker.restart();
  await becomes(true);
});

test('a missing topic cannot be written to', async () => {
  const check = createBrokerCheck({ connection, topic: 'missing-topic' });
  onTestFinished(() => check.close());
  expect(await check.isUp()).toBe(false);
});

describe('events while the broker is frozen', () => {
  test('that were sent are unconfirmed, and may be stored later', async () => {
    const send = openSubmission({ timeoutMs: 2_000 });
    expect(await send(1)).toMatchObject({ accepted: 1 });
    await broker.freeze();
    try {
      expect(await send(2)).toBe('unconfirmed');
      // Nothing was sent after the request in flight.
      expect(await send(3)).toBe('unavailable');
    } finally {
      await broker.thaw();
    }
    expect(await waitFor('the next one', async () => typeof (await send(4)) === 'object')).toBe(true);
    expect([await stored(1), await stored(3), await stored(4)]).toEqual([1, 0, 1]);
    expect(await stored(2)).toBeLessThanOrEqual(1);
  });

  test('are rejected immediately if the check reports it, and none is stored', async () => {
    const check = createBrokerCheck({ connection, topic, timeoutMs: 1_000, freshMs: 50 });
    onTestFinished(() => check.close());
    const send = openSubmission({ isUp: check.isUp, timeoutMs: 60_000 });
    expect(await send(5)).toMatchObject({ accepted: 1 });
    await broker.freeze();
    try {
      await waitFor('the check', async () => !(await check.isUp()));
      expect(await send(6)).toBe('unavailable');
    } finally {
      await broker.thaw();
    }
    await waitFor('the check', () => check.isUp());
    expect(await send(7)).toMatchObject({ accepted: 1 });
    expect([await stored(5), await stored(6), await stored(7)]).toEqual([1, 0, 1]);
  });
});
