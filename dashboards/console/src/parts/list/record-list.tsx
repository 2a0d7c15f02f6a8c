import { Button, Group, Loader, Text, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo } from 'react';
import type { Severity } from '#schemas/detection-terms.ts';
import type { ListPage } from '../../api/lists.ts';
import { FailureNotice } from '../failure-notice.tsx';
import { Icon } from '../icons.tsx';
import { PARTS_TEXT } from '../text.ts';
import { ROW_PX, restOfWindow, type WindowHeight } from './list-height.ts';
import { rowAfterKey } from './list-keys.ts';
import { OVERSCAN, useListPosition } from './list-position.ts';
import { RecordRow } from './record-row.tsx';

const TEXT = PARTS_TEXT.list;
/** Maximum number of rows that are loaded to find the stored row. */
const MAX_SOUGHT = 1_000;
const REST_OF_WINDOW = restOfWindow(16, 16);

export interface Column<Row> {
  readonly id: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Track of the CSS grid: `8rem`, `minmax(6rem, 1fr)`. */
  readonly width: string;
  /**
   * Hidden on a phone. `desktop`: also hidden on a tablet. `large`: also hidden on a small desktop. Other columns need
   * the space there.
   */
  readonly wideOnly?: boolean | 'desktop' | 'large';
  /** Aligns numbers at the end of the column. */
  readonly align?: 'end';
  /** Shown only on a phone. */
  readonly phoneOnly?: boolean;
  /** Makes the header a button that sorts the list. `direction`: default highest first. */
  readonly sort?: {
    readonly active: boolean;
    readonly direction?: 'ascending' | 'descending';
    readonly onSort: () => void;
  };
}

export interface RecordListProps<Row, Page extends ListPage<Row>> {
  /** Content of the list, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Result of `useInfiniteQuery` with `cursorList` or `offsetList`. */
  readonly query: UseInfiniteQueryResult<InfiniteData<Page>>;
  readonly rowId: (row: Row) => string;
  /** Called for Enter or a click on a row. */
  readonly onOpen?: (row: Row) => void;
  /** Called when the row with the keyboard focus changed. */
  readonly onActive?: (row: Row | undefined) => void;
  /** Shown if there are no rows. */
  readonly empty: ReactNode;
  /** Whether the list contains records of all times. A chart next to it can have a shorter time range. */
  readonly ofAllTime?: boolean;
  /** Maximum CSS height. A shorter list is as high as its rows. Default: the rest of the window. */
  readonly height?: string | WindowHeight;
  /** Height of a row, px. */
  readonly rowPx?: number;
  /** Shows a bar in the colour of the severity at the edge of a row. */
  readonly severity?: (row: Row) => Severity | undefined;
}

/**
 * A list of any length. Renders only the visible rows, and fetches the next page before its end is reached. Keyboard:
 * arrows or j and k move, Home goes to the first row, Enter opens. Row and scroll position are stored with the page;
 * see `kept-state.ts`.
 */
export function RecordList<Row, Page extends ListPage<Row>>(props: RecordListProps<Row, Page>) {
  const { label, query, onOpen, empty, height = REST_OF_WINDOW, rowPx = ROW_PX } = props;
  const columns = useShownColumns(props.columns);
  const rows = useMemo(() => query.data?.pages.flatMap(({ data }) => data as readonly Row[]) ?? [], [query.data]);
  const mayFollow = query.hasNextPage && !query.isFetchNextPageError && rows.length < MAX_SOUGHT;
  const position = useListPosition({
    label,
    rows,
    rowId: props.rowId,
    rowPx,
    mayFollow,
    onActive: props.onActive,
    height,
  });
  const { items, active } = position;
  useNextPage(query, position.isSeeking() ? rows.length : (items.at(-1)?.index ?? 0), rows.length);

  function onKeyDown(event: KeyboardEvent, focused: number) {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const index = position.keyRow(focused);
    const to = rowAfterKey(event.key, index, rows.length);
    const row = rows[index];
    if (to !== undefined) position.moveTo(to);
    else if (event.key === 'Enter' && onOpen && row !== undefined) onOpen(row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  if (query.isPending)
    return (
      <Group role="status" p="md">
        <Loader size="sm" aria-hidden /> <Text>{TEXT.loading(label)}</Text>
      </Group>
    );
  if (query.isError && rows.length === 0)
    return <FailureNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (rows.length === 0) return <EmptyList>{empty}</EmptyList>;

  const tracks = columns.map(({ width }) => width).join(' ');
  /** The active row, or the first rendered row if the active one is not visible. */
  const tabStop = items.some(({ index }) => index === active) ? active : items[0]?.index;
  return (
    <div>
      <div
        ref={position.scroller}
        onScroll={position.scrolled}
        className="tl-grid"
        role="grid"
        data-dense={rowPx < ROW_PX ? '' : undefined}
        aria-label={label}
        aria-rowcount={query.hasNextPage ? -1 : rows.length + 1}
        style={{ maxHeight: typeof height === 'string' ? height : height.css }}
      >
        <div className="tl-grid-row tl-grid-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: tracks }}>
          {columns.map(({ id, header, sort, align }) => (
            <div
              key={id}
              role="columnheader"
              className="tl-cell"
              data-align={align}
              aria-sort={sort === undefined ? undefined : sort.active ? (sort.direction ?? 'descending') : 'none'}
            >
              {sort === undefined ? header : <SortButton {...sort}>{header}</SortButton>}
            </div>
          ))}
        </div>
        <div className="tl-grid-body" role="rowgroup" style={{ height: position.totalSize }}>
          {items.map(({ index, key, start }) => {
            const row = rows[index] as Row;
            return (
              <RecordRow
                key={key}
                {...{ row, index, columns, tracks, start, rowPx }}
                isActive={index === active}
                isTabStop={index === tabStop}
                opens={onOpen !== undefined}
                severity={props.severity?.(row)}
                onClick={() => {
                  position.activate(index);
                  onOpen?.(row);
                }}
                onFocus={() => position.focused(index)}
                onKeyDown={(event) => onKeyDown(event, index)}
              />
            );
          })}
        </div>
      </div>
      <ListFooter query={query} rows={rows.length} ofAllTime={props.ofAllTime ?? false} />
    </div>
  );
}

function EmptyList({ children }: { readonly children: ReactNode }) {
  return (
    <div className="tl-empty" role="status">
      <Icon name="empty" size={20} />
      <Text component="div" size="sm">
        {children}
      </Text>
    </div>
  );
}

/** Returns the columns for which the window has space. */
function useShownColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const wide = useMediaQuery('(min-width: 48em)', true);
  const desktop = useMediaQuery('(min-width: 75em)', true);
  const large = useMediaQuery('(min-width: 96em)', true);
  const room = { desktop, large };
  return columns.filter(({ wideOnly, phoneOnly }) =>
    phoneOnly ? !wide : typeof wideOnly === 'string' ? room[wideOnly] : wide || !wideOnly,
  );
}

type ListQuery = Pick<
  UseInfiniteQueryResult,
  'hasNextPage' | 'isFetching' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
>;

/** Fetches the next page when one of the last rows is rendered. Only the footer's button retries a failed page. */
function useNextPage(query: ListQuery, last: number, rows: number): void {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  useEffect(() => {
    if (last >= rows - OVERSCAN && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [last, rows, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
}

/** Shows the number of loaded rows, and whether more are being loaded. */
function ListFooter({
  query,
  rows,
  ofAllTime,
}: {
  readonly query: ListQuery;
  readonly rows: number;
  readonly ofAllTime: boolean;
}) {
  const text = query.hasNextPage ? TEXT.loaded(rows) : TEXT.total(rows);
  return (
    <Group mt={6} gap="sm" role="status">
      <Text size="sm" c="dimmed">
        {ofAllTime ? TEXT.ofAllTime(text) : text}
      </Text>
      {query.isFetching && <Loader size="xs" aria-label={PARTS_TEXT.loading} />}
      {query.isFetchNextPageError && (
        <Button size="compact" variant="default" onClick={() => void query.fetchNextPage()}>
          {TEXT.loadFailed}
        </Button>
      )}
    </Group>
  );
}

function SortButton({
  active,
  direction = 'descending',
  onSort,
  children,
}: NonNullable<Column<never>['sort']> & { readonly children: ReactNode }) {
  return (
    <UnstyledButton fz="inherit" fw="inherit" onClick={onSort}>
      {children} <span aria-hidden>{active ? (direction === 'ascending' ? '↑' : '↓') : '↕'}</span>
    </UnstyledButton>
  );
}
