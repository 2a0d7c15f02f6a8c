import { expect, test } from 'vitest';
import { leastUsedShard } from '#analytics/clickhouse/choose-shard.ts';

test.each<[string, Record<string, number>, number, string]>([
  ['the first lane of a cluster', {}, 0, 'a'],
  ['a lane that is opened at the same time', {}, 1, 'b'],
  ['a shard that was added', { a: 4, b: 4 }, 0, 'c'],
  ['the fewest of all', { a: 2, b: 1, c: 2 }, 7, 'b'],
  ['a shard that is no longer listed does not count', { a: 1, b: 2, c: 1, gone: 0 }, 3, 'c'],
])('%s', (_, lanes, partition, shard) => {
  expect(leastUsedShard(['a', 'b', 'c'], new Map(Object.entries(lanes)), partition)).toBe(shard);
});
