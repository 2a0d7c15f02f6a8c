import { expect, test } from 'vitest';
import { assignInTurn, byTopic } from '#ingest/kafka/platformatic/assignment.ts';

const partitions = Array.from({ length: 5 }, (_, partition) => ({ topic: 'events', partition }));
const numbers = (dealt: ReadonlyMap<string, readonly { partition: number }[]>, id: string) =>
  dealt.get(id)?.map(({ partition }) => partition);

test('partitions are dealt in turn, whatever the order of the members', () => {
  const dealt = assignInTurn(['b', 'a'], partitions);
  expect(numbers(dealt, 'a')).toEqual([0, 2, 4]);
  expect(numbers(dealt, 'b')).toEqual([1, 3]);
  expect(assignInTurn(['a', 'b'], partitions)).toEqual(dealt);
});

test('members without a partition are named', () => {
  expect(numbers(assignInTurn(['a', 'b'], partitions.slice(0, 1)), 'b')).toEqual([]);
});

test('the form of the protocol', () => {
  expect(
    byTopic([
      { topic: 'a', partition: 1 },
      { topic: 'b', partition: 0 },
      { topic: 'a', partition: 2 },
    ]),
  ).toEqual([
    { topic: 'a', partitions: [1, 2] },
    { topic: 'b', partitions: [0] },
  ]);
});
