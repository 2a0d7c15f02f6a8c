import { createRequire } from 'node:module';
import kafkajs from 'kafkajs';
import { expect, test } from 'vitest';
import { isTemporary, KafkaFailure } from '#ingest/kafka/failure.ts';

const { KafkaJSNumberOfRetriesExceeded } = kafkajs;

/** The client's errors for protocol error codes. */
const { createErrorFromCode } = createRequire(import.meta.resolve('kafkajs'))('./src/protocol/error.js') as {
  createErrorFromCode(code: number): Error & { type: string };
};

const GROUP_LOAD_IN_PROGRESS = 14;
const GROUP_AUTHORIZATION_FAILED = 30;

/** The error that the client throws: a broker error after all retries. */
function afterRetries(code: number): KafkaFailure {
  const error = new KafkaJSNumberOfRetriesExceeded(createErrorFromCode(code), { retryCount: 5, retryTime: 1_000 });
  return new KafkaFailure('join the consumer group', error);
}

test('a coordinator that is loading its groups is a temporary failure', () => {
  const failure = afterRetries(GROUP_LOAD_IN_PROGRESS);
  expect(failure).toMatchObject({ code: 'GROUP_LOAD_IN_PROGRESS', kind: 'temporary' });
  expect(isTemporary(failure)).toBe(true);
});

test('a group without permission to join is a permanent failure', () => {
  expect(afterRetries(GROUP_AUTHORIZATION_FAILED)).toMatchObject({ kind: 'permanent' });
});
