import { terminalText, toWidth } from './terminal-text.ts';

/** A column of a table of records. */
export interface TableColumn<R> {
  readonly title: string;
  /** Minimum width for the column to be useful, and its preferred width. */
  readonly min: number;
  readonly preferred: number;
  /** True for the column that gets the remaining width of the terminal. */
  readonly takesRest?: boolean;
  readonly align?: 'left' | 'right';
  /**
   * On a narrow terminal, columns are omitted from the highest number down. Columns without a number are never omitted.
   */
  readonly leaveOut?: number;
  cell(record: R): string;
}

const GAP = '  ';

/** Returns which columns fit into `width`, with their widths. */
function arrange<R>(
  columns: readonly TableColumn<R>[],
  width: number,
): readonly { column: TableColumn<R>; width: number }[] {
  let kept = [...columns];
  const needed = (): number => kept.reduce((sum, c) => sum + c.min + GAP.length, -GAP.length);
  while (needed() > width) {
    const last = kept.reduce<TableColumn<R> | undefined>(
      (a, c) => (c.leaveOut !== undefined && c.leaveOut > (a?.leaveOut ?? -1) ? c : a),
      undefined,
    );
    if (last === undefined) break;
    kept = kept.filter((c) => c !== last);
  }
  let spare = Math.max(0, width - needed());
  const widths = kept.map((column) => {
    const more = column.takesRest ? 0 : Math.min(spare, column.preferred - column.min);
    spare -= more;
    return { column, width: column.min + more };
  });
  return widths.map((w) => (w.column.takesRest ? { column: w.column, width: w.width + spare } : w));
}

/**
 * Creates a writer of lines with fixed column widths, at most `width` wide for any content. The widths do not depend on
 * the records, so lines can be written one by one.
 */
export function tableLayout<R>(
  columns: readonly TableColumn<R>[],
  width: number,
): { header: string; row(record: R): string } {
  const arranged = arrange(columns, width);
  const line = (text: (column: TableColumn<R>) => string): string =>
    arranged
      .map(({ column, width: w }) => toWidth(terminalText(text(column)), w, column.align))
      .join(GAP)
      .trimEnd();
  return { header: line((column) => column.title), row: (record) => line((column) => column.cell(record)) };
}
