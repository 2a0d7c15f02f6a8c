import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { offsetList } from '#dashboards/console/src/api/lists.ts';

const PAGE = 100;
const TOTAL = 6_050;

test('an offset list keeps all rows in order and ends, also after more than 5,000 rows', async () => {
  const queries = new QueryClient();
  const asked: number[] = [];
  const list = new InfiniteQueryObserver(
    queries,
    offsetList<number>(['rows'], async (offset) => {
      asked.push(offset);
      const data = Array.from({ length: Math.min(PAGE, TOTAL - offset) }, (_, index) => offset + index);
      return { data, total: TOTAL, offset };
    }),
  );
  const { promise: first, resolve } = Promise.withResolvers<void>();
  const leave = list.subscribe(({ isSuccess }) => isSuccess && resolve());
  await first;
  while (list.getCurrentResult().hasNextPage) await list.fetchNextPage();
  const rows = list.getCurrentResult().data?.pages.flatMap(({ data }) => data);
  leave();
  queries.clear();

  expect(rows).toEqual(Array.from({ length: TOTAL }, (_, row) => row));
  expect(asked).toHaveLength(Math.ceil(TOTAL / PAGE));
});
