import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';

/** Fields that every list of the API has. */
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

/** A list with cursor pagination, for any number of rows. Stable while new rows arrive. */
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

/**
 * A list with offset pagination. Keeps fetched pages, like a list with a cursor. Dropping its first pages would move
 * the rows while the user reads them.
 */
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
