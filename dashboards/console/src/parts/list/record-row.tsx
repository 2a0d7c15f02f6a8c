import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import type { Severity } from '#schemas/detection-terms.ts';
import { visible } from '../visible.ts';
import { RowEngaged } from './row-engaged.ts';

interface RecordRowProps<Row> {
  readonly row: Row;
  /** Position among the loaded rows. */
  readonly index: number;
  readonly columns: readonly { readonly id: string; readonly cell: (row: Row) => ReactNode; readonly align?: 'end' }[];
  /** Tracks of the CSS grid, one per column. */
  readonly tracks: string;
  /** Distance from the first row, px. */
  readonly start: number;
  /** Height, px. */
  readonly rowPx: number;
  readonly isActive: boolean;
  /** True for the only row in the tab order. */
  readonly isTabStop: boolean;
  /** True if a click opens it. */
  readonly opens: boolean;
  /** Severity of the bar at the edge. */
  readonly severity: Severity | undefined;
  readonly onClick: () => void;
  readonly onFocus: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Without a pointer that can hover, every row shows its buttons. */
const HOVERS = matchMedia('(hover: hover)').matches;

/** A row of a `RecordList`. */
export function RecordRow<Row>({ row, index, columns, tracks, start, ...rest }: RecordRowProps<Row>) {
  const { rowPx, isActive, isTabStop, opens, severity, onClick, onFocus, onKeyDown } = rest;
  const [engaged, setEngaged] = useState(!HOVERS);
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
        height: rowPx,
        transform: `translateY(${start}px)`,
        ...(severity && { boxShadow: `inset 3px 0 0 var(--tl-${severity}-mark)` }),
      }}
      onClick={onClick}
      onPointerEnter={() => setEngaged(true)}
      onFocus={() => {
        setEngaged(true);
        onFocus();
      }}
      onKeyDown={(event) => {
        if (!moveWithin(event)) onKeyDown(event);
      }}
    >
      <RowEngaged value={engaged}>
        {columns.map(({ id, cell, align }) => (
          <div key={id} role="gridcell" className="tl-cell" data-align={align} onPointerEnter={setTitleOfTruncated}>
            {shown(cell(row))}
          </div>
        ))}
      </RowEngaged>
    </div>
  );
}

/** Moves between a row and its controls with the left and right arrow keys. Returns false for other keys. */
function moveWithin(event: KeyboardEvent): boolean {
  const { key, currentTarget, target } = event;
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return false;
  const controls = [...(currentTarget as HTMLElement).querySelectorAll<HTMLElement>('button, input, a[href]')];
  const stops = [currentTarget as HTMLElement, ...controls.filter((one) => one.offsetParent !== null)];
  const at = stops.indexOf(target as HTMLElement);
  if (at < 0) return false;
  stops[Math.min(Math.max(at + (key === 'ArrowRight' ? 1 : -1), 0), stops.length - 1)]?.focus();
  event.preventDefault();
  return true;
}

/** Shows the complete text of a truncated cell as a tooltip. */
function setTitleOfTruncated({ currentTarget: cell }: PointerEvent<HTMLElement>): void {
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent;
  else cell.removeAttribute('title');
}

/** Makes invisible characters visible: texts of cells come from kernel logs of attacked hosts. */
function shown(cell: ReactNode): ReactNode {
  return typeof cell === 'string' ? visible(cell) : cell;
}
