import { expect, test } from 'vitest';
import { createAcceptedRecords } from '#ingest/pipeline/accepted-records.ts';

const partition = { topic: 'events', partition: 3 };

test('the waiting time of a partition is the age of its oldest batch that is not stored', () => {
  let now = 0;
  const taken = createAcceptedRecords(() => now);
  taken.add('a', partition, 100);
  now = 4_000;
  taken.add('a', partition, 200);
  now = 10_000;
  expect(taken.waiting()).toEqual([{ ...partition, seconds: 10 }]);
  taken.landed('a', 99);
  expect(taken.waiting()).toEqual([{ ...partition, seconds: 10 }]);
  taken.landed('a', 150);
  expect(taken.waiting()).toEqual([{ ...partition, seconds: 6 }]);
  taken.landed('a', 200);
  expect(taken.waiting()).toEqual([{ ...partition, seconds: 0 }]);
});

test('redelivered records are not counted twice as waiting', () => {
  const taken = createAcceptedRecords(() => 0);
  for (const end of [100, 200, 100, 200]) taken.add('a', partition, end);
  taken.landed('a', 200);
  taken.add('a', partition, 300);
  taken.landed('a', 300);
  expect(taken.waiting()).toEqual([{ ...partition, seconds: 0 }]);
});

test('a partition that moved to another process is not reported', () => {
  const taken = createAcceptedRecords(() => 0);
  taken.add('a', partition, 100);
  taken.forget('a');
  taken.landed('a', 100);
  expect(taken.waiting()).toEqual([]);
});
