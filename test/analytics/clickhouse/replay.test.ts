import { expect, test } from 'vitest';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { isTemporary } from '#analytics/clickhouse/failure.ts';
import { replayEvents } from '#analytics/clickhouse/replay.ts';
import { landRange, useDatabase } from './fixture.ts';

const { clickhouse, store } = await useDatabase();
const lane = { topic: 'cut off', partition: 0 };

test.each([
  ['in the middle of a row', ''],
  ['with words about what went wrong', 'Code: 241. DB::Exception: Query memory limit exceeded'],
])('repeats a query whose response ends %s, instead of ending the process', async (_, words) => {
  const mark = (await store.marks(lane)).events;
  await landRange(store, lane, mark + 1, mark + 500, mark);
  // Returns the first half of the server's response, then an error text: the server does this when a query fails after
  // the response has begun.
  const givingUp: ClickHouse = {
    ...clickhouse,
    async *bytes(...query) {
      const whole: Buffer[] = [];
      for await (const chunk of clickhouse.bytes(...query)) whole.push(chunk);
      const all = Buffer.concat(whole);
      yield all.subarray(0, Math.floor(all.length / 2) + 1);
      if (words !== '') yield Buffer.from(words);
    },
  };
  const error = await Array.fromAsync(replayEvents(givingUp, lane, -1, mark + 500)).catch((caught: unknown) => caught);
  expect(isTemporary(error)).toBe(true);
});
