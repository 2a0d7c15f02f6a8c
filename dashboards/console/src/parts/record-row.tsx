import type { KeyboardEvent, ReactNode } from 'react';
import type { Severity } from '#schemas/detection-terms.ts';
import { ROW_PX } from './list-height.ts';
import { visible } from './visible.ts';

interface RecordRowProps<Row> {
  readonly row: Row;
  /** Position among the loaded rows. */
  readonly index: number;
  readonly columns: readonly { readonly id: string; readonly cell: (row: Row) => ReactNode }[];
  /** Tracks of the CSS grid, one a column. */
  readonly tracks: string;
  /** Distance from the first row, px. */
  readonly start: number;
  readonly isActive: boolean;
  /** The one row that the tab key stops at. */
  readonly isTabStop: boolean;
  /** A click opens it. */
  readonly opens: boolean;
  /** Of the bar at the edge. */
  readonly severity: Severity | undefined;
  readonly onClick: () => void;
  readonly onFocus: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** A row of a `RecordList`. */
export function RecordRow<Row>({ row, index, columns, tracks, start, ...rest }: RecordRowProps<Row>) {
  const { isActive, isTabStop, opens, severity, onClick, onFocus, onKeyDown } = rest;
  return (
    <div
      role="row"
      data-index={index}
      data-opens={opens ? '' : undefined}
      aria-rowindex={index + 2}
      aria-selected={isActive}
      tabIndex={isTabStop ? 0 : -1}
      className="tl-grid-row"
      style={{
        gridTemplateColumns: tracks,
        height: ROW_PX,
        transform: `translateY(${start}px)`,
        ...(severity && { boxShadow: `inset 3px 0 0 var(--tl-${severity}-mark)` }),
      }}
      onClick={onClick}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
    >
      {columns.map(({ id, cell }) => (
        <div key={id} role="gridcell" className="tl-cell">
          {shown(cell(row))}
        </div>
      ))}
    </div>
  );
}

/** Texts of cells come from outside: from kernel logs of hosts that are attacked. */
function shown(cell: ReactNode): ReactNode {
  return typeof cell === 'string' ? visible(cell) : cell;
}
