import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { useKeptState } from './kept-state.ts';
import { ROW_PX } from './list-height.ts';

/** Rows drawn above and below those in sight. */
export const OVERSCAN = 12;

/** Where a list was left, kept with the page. */
interface LeftAt {
  readonly rowId: string | undefined;
  readonly scrollTop: number;
}

interface ListPositionOptions<Row> {
  /** Name of the list in the kept state. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly onActive: ((row: Row | undefined) => void) | undefined;
}

/**
 * The active row of a list, the focus of the keyboard and the rows in sight. Owns all of them, and keeps the active row and the scroll position with
 * the page: see `kept-state.ts`.
 */
export function useListPosition<Row>({ label, rows, rowId, onActive }: ListPositionOptions<Row>) {
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

  function keep(index: number) {
    const row = rows[index];
    const rowKept = row === undefined ? undefined : rowId(row);
    keptState.set(label, { rowId: rowKept, scrollTop: scroller.current?.scrollTop ?? 0 } satisfies LeftAt);
  }

  function activate(index: number) {
    sought.current = undefined;
    setActiveIndex(index);
    keep(index);
    onActive?.(rows[index]);
  }

  return {
    /** For the element that scrolls. */
    scroller,
    /** Index of the active row. */
    active,
    /** The rows to draw. */
    items: virtual.getVirtualItems(),
    /** Height of all rows, px. */
    totalSize: virtual.getTotalSize(),
    /** Keeps the scroll position. */
    scrolled: () => keep(active),
    /** Makes a row the active one. */
    activate,
    /** Makes a row the active one that has received the focus by other means than `moveTo`. */
    focused(index: number) {
      if (index === active || index === goal.current) return;
      goal.current = undefined;
      activate(index);
    },
    /** The row that a key counts from, when it is pressed on the row with the focus. */
    keyRow: (focused: number) => goal.current ?? focused,
    /** Moves the keyboard to a row, and draws it if it is out of sight. */
    moveTo(index: number) {
      activate(index);
      virtual.scrollToIndex(index);
      goal.current = index;
      focusGoal();
    },
  };
}
