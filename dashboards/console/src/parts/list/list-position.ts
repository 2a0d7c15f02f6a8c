import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useKeptState } from './kept-state.ts';
import type { WindowHeight } from './list-height.ts';

/** Number of rows rendered above and below the visible ones, after the visible ones are rendered. */
export const OVERSCAN = 12;
/** Maximum distance after the stored index at which a row is searched. */
const MARGIN = 50;

/** Stored position of a list, kept with the page under the list's label. */
export interface LeftAt {
  readonly rowId: string | undefined;
  /** Index of the row. If the row no longer exists, the row at this index is used instead. */
  readonly index: number;
  readonly scrollTop: number;
}

interface ListPositionOptions<Row> {
  /** Name of the list in the stored state. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** Height of a row. */
  readonly rowPx: number;
  /** True if the stored row may be in a page that is not loaded yet. */
  readonly mayFollow: boolean;
  readonly onActive: ((row: Row | undefined) => void) | undefined;
  /** Height of the list. A height that depends on the window is known before it is measured. */
  readonly height: string | WindowHeight;
}

/**
 * Manages the active row of a list, the keyboard focus and the visible rows. Stores the active row and the scroll
 * position with the page; see `kept-state.ts`. Long: its functions share the state of one list.
 */
export function useListPosition<Row>(options: ListPositionOptions<Row>) {
  const { label, rows, rowId, rowPx, mayFollow, onActive, height } = options;
  const [expected] = useState(() => (typeof height === 'string' ? 0 : height.px()));
  const scroller = useRef<HTMLDivElement>(null);
  const keptState = useKeptState();
  const [leftAt] = useState(() => keptState.get(label) as LeftAt | undefined);
  /** Id of the row to restore. Undefined after it was restored, or if none exists. */
  const sought = useRef(leftAt?.rowId);
  const [active, setActiveIndex] = useState(0);
  /** Index of the row that gets the focus once it is rendered. Keys pressed before count from this row. */
  const goal = useRef<number>(undefined);
  /** Element of the list that had the focus last. */
  const lastFocused = useRef<Element | null>(undefined);
  /** True if the page was restored by going back: the row then takes the focus from the heading. */
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

  // Without dependencies, because any rendering may add the row.
  useLayoutEffect(findAgain);
  useLayoutEffect(keepFocus);
  useLayoutEffect(focusGoal);

  /** Restores the stored row. If it is no longer in the list, uses the row at its index. */
  function findAgain() {
    if (sought.current === undefined || scroller.current === null) return;
    const left = leftAt?.index ?? 0;
    const found = rows.findIndex((row) => rowId(row) === sought.current);
    if (found < 0 && mayFollow && rows.length <= left + MARGIN) return;
    sought.current = undefined;
    const index = found < 0 ? Math.min(left, rows.length - 1) : found;
    if (index < 0) return;
    scroller.current.scrollTop = leftAt?.scrollTop ?? 0;
    // Scrolls it into view, even if it is a replacement for the stored row.
    virtual.scrollToIndex(index, { align: 'auto' });
    setActiveIndex(index);
    onActive?.(rows[index]);
    takesFocus.current = true;
    goal.current = index;
  }

  /** If the focused row leaves the list, moves the focus to the row at its index. */
  function keepFocus() {
    const holder = document.activeElement;
    if (lastFocused.current?.isConnected === false && holder === document.body && rows.length > 0)
      goal.current ??= Math.min(active, rows.length - 1);
    lastFocused.current = scroller.current?.contains(holder) ? holder : undefined;
  }

  /** Moves the focus, unless the user has moved it since. */
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
    /** True if the stored row is not among the loaded rows. */
    isSeeking: () => sought.current !== undefined,
    /** Ref of the scrolling element. */
    scroller,
    /** Index of the active row. */
    active,
    /** The rows to render. */
    items: virtual.getVirtualItems(),
    /** Height of all rows, px. */
    totalSize: virtual.getTotalSize(),
    /** Stores the scroll position. */
    scrolled: () => keep(active),
    /** Activates a row. */
    activate,
    /** Activates a row that received the focus without `moveTo`. */
    focused(index: number) {
      lastFocused.current = document.activeElement;
      if (index === active || index === goal.current) return;
      goal.current = undefined;
      activate(index);
    },
    /** Returns the row from which a key counts, for a key pressed on the focused row. */
    keyRow: (focused: number) => goal.current ?? focused,
    /** Moves the keyboard focus to a row, and renders it if it is not visible. */
    moveTo(index: number) {
      activate(index);
      virtual.scrollToIndex(index);
      goal.current = index;
      focusGoal();
    },
  };
}

/** Returns the number of invisible rows to render: none until the visible rows are rendered and the browser is idle. */
function useOverscan(hasRows: boolean): number {
  const [overscan, setOverscan] = useState(0);
  useEffect(() => {
    if (!hasRows) return;
    // Safari does not report when it is idle.
    if (!('requestIdleCallback' in globalThis)) return setOverscan(OVERSCAN);
    const asked = requestIdleCallback(() => setOverscan(OVERSCAN));
    return () => cancelIdleCallback(asked);
  }, [hasRows]);
  return overscan;
}
