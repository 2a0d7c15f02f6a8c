import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useKeptState } from './kept-state.ts';
import type { WindowHeight } from './list-height.ts';

/** Rows drawn above and below those in sight, once those in sight are drawn. */
export const OVERSCAN = 12;
/** How far behind its place a row is looked for. */
const MARGIN = 50;

/** Where a list was left, kept with the page under its label. */
export interface LeftAt {
  readonly rowId: string | undefined;
  /** Place of the row: the one that is there now takes over when the row is gone. */
  readonly index: number;
  readonly scrollTop: number;
}

interface ListPositionOptions<Row> {
  /** Name of the list in the kept state. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** Height of a row. */
  readonly rowPx: number;
  /** Rows may still come in which the one that was left is. */
  readonly mayFollow: boolean;
  readonly onActive: ((row: Row | undefined) => void) | undefined;
  /** Of the list: one that depends on the window is known before it is measured. */
  readonly height: string | WindowHeight;
}

/**
 * The active row of a list, the focus of the keyboard and the rows in sight. Owns all of them, and keeps the active row and the scroll position with
 * the page: see `kept-state.ts`. Long: its functions share the state of one list.
 */
export function useListPosition<Row>(options: ListPositionOptions<Row>) {
  const { label, rows, rowId, rowPx, mayFollow, onActive, height } = options;
  const [expected] = useState(() => (typeof height === 'string' ? 0 : height.px()));
  const scroller = useRef<HTMLDivElement>(null);
  const keptState = useKeptState();
  const [leftAt] = useState(() => keptState.get(label) as LeftAt | undefined);
  /** The row to restore; undefined after it was restored, or without one. */
  const sought = useRef(leftAt?.rowId);
  const [active, setActiveIndex] = useState(0);
  /** Where the keyboard goes as soon as that row is drawn; keys that come before count from there. */
  const goal = useRef<number>(undefined);
  /** What in the list had the focus. */
  const lastFocused = useRef<Element | null>(undefined);
  /** The page has just come back: the row takes the focus from the heading. */
  const takesFocus = useRef(false);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: useOverscan(rows.length > 0),
    initialOffset: leftAt?.scrollTop ?? 0,
    initialRect: { width: 0, height: expected },
    getItemKey: (index) => rowId(rows[index] as Row),
  });

  // Without dependencies: any drawing may bring the row.
  useLayoutEffect(findAgain);
  useLayoutEffect(keepFocus);
  useLayoutEffect(focusGoal);

  /** Goes on at the row that was left, or, when it is not in the list any more, at the row in its place. */
  function findAgain() {
    if (sought.current === undefined || scroller.current === null) return;
    const left = leftAt?.index ?? 0;
    const found = rows.findIndex((row) => rowId(row) === sought.current);
    if (found < 0 && mayFollow && rows.length <= left + MARGIN) return;
    sought.current = undefined;
    const index = found < 0 ? Math.min(left, rows.length - 1) : found;
    if (index < 0) return;
    scroller.current.scrollTop = leftAt?.scrollTop ?? 0;
    // In sight, also when another row than the one that was left is gone back to.
    virtual.scrollToIndex(index, { align: 'auto' });
    setActiveIndex(index);
    onActive?.(rows[index]);
    takesFocus.current = true;
    goal.current = index;
  }

  /** The row with the focus left the list: the one in its place takes over. */
  function keepFocus() {
    const holder = document.activeElement;
    if (lastFocused.current?.isConnected === false && holder === document.body && rows.length > 0)
      goal.current ??= Math.min(active, rows.length - 1);
    lastFocused.current = scroller.current?.contains(holder) ? holder : undefined;
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
    keptState.set(label, { rowId: rowKept, index, scrollTop: scroller.current?.scrollTop ?? 0 } satisfies LeftAt);
  }

  function activate(index: number) {
    sought.current = undefined;
    setActiveIndex(index);
    keep(index);
    onActive?.(rows[index]);
  }

  return {
    /** The row that was left is not among those that are loaded. */
    isSeeking: () => sought.current !== undefined,
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
      lastFocused.current = document.activeElement;
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

/** Rows out of sight are drawn when the browser has drawn the others and is idle. */
function useOverscan(hasRows: boolean): number {
  const [overscan, setOverscan] = useState(0);
  useEffect(() => {
    if (!hasRows) return;
    // Safari does not say when it is idle.
    if (!('requestIdleCallback' in globalThis)) return setOverscan(OVERSCAN);
    const asked = requestIdleCallback(() => setOverscan(OVERSCAN));
    return () => cancelIdleCallback(asked);
  }, [hasRows]);
  return overscan;
}
