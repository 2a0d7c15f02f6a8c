import { Button, Group, Loader, Text, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ListPage } from '../api/lists.ts';
import { FailureNotice } from './failure-notice.tsx';
import { useKeptState } from './kept-state.ts';
import { PARTS_TEXT } from './text.ts';
import { visible } from './visible.ts';

const TEXT = PARTS_TEXT.list;

export interface Column<Row> {
  readonly id: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Track of the CSS grid: `8rem`, `minmax(6rem, 1fr)`. */
  readonly width: string;
  /** Left out on a phone. */
  readonly wideOnly?: boolean;
  /** The header is a button that sorts the list, highest first. */
  readonly sort?: { readonly active: boolean; readonly onSort: () => void };
}

export interface RecordListProps<Row, Page extends ListPage<Row>> {
  /** What the list holds, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** From `useInfiniteQuery` of `cursorList` or `offsetList`. */
  readonly query: UseInfiniteQueryResult<InfiniteData<Page>>;
  readonly rowId: (row: Row) => string;
  /** Enter or a click on a row. */
  readonly onOpen?: (row: Row) => void;
  /** The row that the keyboard is on changed. */
  readonly onActive?: (row: Row | undefined) => void;
  /** What is said when nothing is found. */
  readonly empty: ReactNode;
  /** CSS height of the list; default fills what is left of the window. */
  readonly height?: string;
}

/** Where a list was left, kept with the page. */
interface LeftAt {
  readonly rowId: string | undefined;
  readonly scrollTop: number;
}

const ROW_PX = 40;
const OVERSCAN = 12;

/**
 * A list of any length: draws only the rows in sight and fetches the next page before its end is reached. By keyboard: arrows or j and k move, Home goes
 * to the first, Enter opens. Its row and scroll position are kept with the page: see `kept-state.ts`.
 */
export function RecordList<Row, Page extends ListPage<Row>>(props: RecordListProps<Row, Page>) {
  const { label, query, rowId, onOpen, onActive, empty, height = 'max(16rem, calc(100dvh - 16rem))' } = props;
  const wide = useMediaQuery('(min-width: 48em)', true);
  const columns = props.columns.filter(({ wideOnly }) => wide || !wideOnly);
  const rows = useMemo(() => query.data?.pages.flatMap(({ data }) => data as readonly Row[]) ?? [], [query.data]);
  const scroller = useRef<HTMLDivElement>(null);
  const keptState = useKeptState();
  const [leftAt] = useState(() => keptState.get(label) as LeftAt | undefined);
  /** The row to restore; undefined after it was restored, or without one. */
  const sought = useRef(leftAt?.rowId);
  const [active, setActiveIndex] = useState(0);
  /** Where the keyboard goes as soon as that row is drawn; keys that come before count from there. */
  const goal = useRef<number>(undefined);
  /** The page has just come back: the row takes the focus from the heading. */
  const takesFocus = useRef(false);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    initialOffset: leftAt?.scrollTop ?? 0,
    getItemKey: (index) => rowId(rows[index] as Row),
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  useEffect(() => {
    if (last >= rows.length - OVERSCAN && hasNextPage && !isFetchingNextPage && !isFetchNextPageError)
      void fetchNextPage();
  }, [last, rows.length, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  // Without dependencies: any drawing may bring the row.
  useLayoutEffect(findAgain);
  useLayoutEffect(focusGoal);

  /** Goes on at the row that was left; one that is in the list no more is given up. */
  function findAgain() {
    if (sought.current === undefined || scroller.current === null) return;
    const index = rows.findIndex((row) => rowId(row) === sought.current);
    sought.current = undefined;
    if (index < 0) return;
    scroller.current.scrollTop = leftAt?.scrollTop ?? 0;
    setActiveIndex(index);
    onActive?.(rows[index]);
    takesFocus.current = true;
    goal.current = index;
  }

  function setActive(index: number) {
    sought.current = undefined;
    setActiveIndex(index);
    keep(index);
  }

  function keep(index: number) {
    const row = rows[index];
    const rowKept = row === undefined ? undefined : rowId(row);
    keptState.set(label, { rowId: rowKept, scrollTop: scroller.current?.scrollTop ?? 0 } satisfies LeftAt);
  }

  /** Unless the user has moved the focus since then. */
  function focusGoal() {
    if (goal.current === undefined) return;
    const holder = document.activeElement;
    const ours = takesFocus.current || holder === document.body || scroller.current?.contains(holder);
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${goal.current}"]`);
    if (ours && goal.current < rows.length && !row) return;
    if (ours) row?.focus({ preventScroll: takesFocus.current });
    takesFocus.current = false;
    goal.current = undefined;
  }

  function move(to: number) {
    const index = Math.min(Math.max(to, 0), rows.length - 1);
    setActive(index);
    onActive?.(rows[index]);
    virtual.scrollToIndex(index);
    goal.current = index;
    focusGoal();
  }

  function onKeyDown(event: KeyboardEvent, focused: number) {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const index = goal.current ?? focused;
    const moves: Record<string, number> = {
      ArrowDown: index + 1,
      j: index + 1,
      ArrowUp: index - 1,
      k: index - 1,
      Home: 0,
      End: rows.length - 1,
      PageDown: index + 15,
      PageUp: index - 15,
    };
    const to = moves[event.key];
    const row = rows[index];
    if (to !== undefined) move(to);
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
  if (rows.length === 0)
    return (
      <Text component="div" p="md" c="dimmed" role="status">
        {empty}
      </Text>
    );

  const template = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') };
  return (
    <div>
      <div
        ref={scroller}
        onScroll={() => keep(active)}
        className="tl-grid"
        role="grid"
        aria-label={label}
        aria-rowcount={hasNextPage ? -1 : rows.length + 1}
        style={{ height }}
      >
        <div className="tl-grid-row tl-grid-head" role="row" aria-rowindex={1} style={template}>
          {columns.map(({ id, header, sort }) => (
            <div
              key={id}
              role="columnheader"
              className="tl-cell"
              aria-sort={sort === undefined ? undefined : sort.active ? 'descending' : 'none'}
            >
              {sort === undefined ? header : <SortButton {...sort}>{header}</SortButton>}
            </div>
          ))}
        </div>
        <div className="tl-grid-body" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const row = rows[index] as Row;
            return (
              <div
                key={key}
                role="row"
                data-index={index}
                data-opens={onOpen ? '' : undefined}
                aria-rowindex={index + 2}
                aria-selected={index === active}
                tabIndex={
                  index === active || (index === items[0]?.index && !items.some((item) => item.index === active))
                    ? 0
                    : -1
                }
                className="tl-grid-row"
                style={{ ...template, height: ROW_PX, transform: `translateY(${start}px)` }}
                onClick={() => {
                  setActive(index);
                  onActive?.(row);
                  onOpen?.(row);
                }}
                onFocus={() => {
                  if (index === active || index === goal.current) return;
                  goal.current = undefined;
                  setActive(index);
                  onActive?.(row);
                }}
                onKeyDown={(event) => onKeyDown(event, index)}
              >
                {columns.map(({ id, cell }) => (
                  <div key={id} role="gridcell" className="tl-cell">
                    {shown(cell(row))}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
      <Group mt={6} gap="sm" role="status">
        <Text size="sm" c="dimmed">
          {hasNextPage ? TEXT.loaded(rows.length) : TEXT.total(rows.length)}
        </Text>
        {query.isFetching && <Loader size="xs" aria-label={PARTS_TEXT.loading} />}
        {isFetchNextPageError && (
          <Button size="compact-sm" variant="default" onClick={() => void fetchNextPage()}>
            {TEXT.loadFailed}
          </Button>
        )}
      </Group>
    </div>
  );
}

function SortButton({
  active,
  onSort,
  children,
}: NonNullable<Column<never>['sort']> & { readonly children: ReactNode }) {
  return (
    <UnstyledButton fz="inherit" fw="inherit" onClick={onSort}>
      {children} <span aria-hidden>{active ? '↓' : '↕'}</span>
    </UnstyledButton>
  );
}

/** Texts of cells come from outside: from kernel logs of hosts that are attacked. */
function shown(cell: ReactNode): ReactNode {
  return typeof cell === 'string' ? visible(cell) : cell;
}
