import fc from 'fast-check';
import kafkajs from 'kafkajs';
import { expect, test } from 'vitest';
import { createSteadyPartitioner } from '#ingest/kafka/partitioner.ts';

const partitions = (count: number) =>
  Array.from({ length: count }, (_, partitionId) => {
    return { partitionId, leader: 0, partitionErrorCode: 0, replicas: [0], isr: [0], offlineReplicas: [] };
  });

test('a key gets the same partition as with other clients', () => {
  const theirs = kafkajs.Partitioners.DefaultPartitioner();
  const ours = createSteadyPartitioner();
  const key = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.uint8Array().map(Buffer.from));
  fc.assert(
    fc.property(key, fc.integer({ min: 1, max: 100 }), (key, count) => {
      const args = { topic: 't', partitionMetadata: partitions(count), message: { key, value: 'v' } };
      expect(ours(args)).toBe(theirs(args));
    }),
  );
});

test('a key of a megabyte, which takes the library minutes', () => {
  const message = { key: 'h'.repeat(2 ** 20), value: 'v' };
  const chosen = createSteadyPartitioner()({ topic: 't', partitionMetadata: partitions(6), message });
  expect([0, 1, 2, 3, 4, 5]).toContain(chosen);
});

// Regression: a retry considered messages as sent although they had moved to a partition that was already stored.
test('a message keeps its partition when partitions are added, with and without a key', () => {
  fc.assert(
    fc.property(
      fc.option(fc.string()),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 20 }),
      (key, few, more) => {
        const choose = createSteadyPartitioner();
        const message = { key, value: 'v' };
        const first = choose({ topic: 't', partitionMetadata: partitions(few), message });
        expect(choose({ topic: 't', partitionMetadata: partitions(few + more), message })).toBe(first);
      },
    ),
  );
});
