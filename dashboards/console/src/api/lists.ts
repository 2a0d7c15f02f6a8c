import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';

/** What every list of the API has in common. */
export interface ListPage<Row> {
  readonly data: readonly Row[];
}
export interface CursorPage<Row> extends ListPage<Row> {
  readonly nextCursor: string | null;
}
export interface OffsetPage<Row> extends ListPage<Row> {
  readonly total: number;
  readonly offset: number;
}

/** A list that goes on by cursor, however many rows it has; stable while rows come in. */
export function cursorList<Row>(
  key: readonly unknown[],
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<CursorPage<Row>>,
) {
  return infiniteQueryOptions<
    CursorPage<Row>,
    Error,
    InfiniteData<CursorPage<Row>>,
    readonly unknown[],
    string | undefined
  >({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

/** A list by offset. What was fetched stays, as in a list by cursor: were its beginning dropped, the rows would move under the hands of the reader. */
export function offsetList<Row>(
  key: readonly unknown[],
  fetchPage: (offset: number, signal: AbortSignal) => Promise<OffsetPage<Row>>,
) {
  return infiniteQueryOptions<OffsetPage<Row>, Error, InfiniteData<OffsetPage<Row>>, readonly unknown[], number>({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ data, offset, total }) =>
      data.length === 0 || offset + data.length >= total ? undefined : offset + data.length,
  });
}
