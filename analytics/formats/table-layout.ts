import { terminalText, toWidth } from './terminal-text.ts';

/** A column of a table of records. */
export interface TableColumn<R> {
  readonly title: string;
  /** Columns of the terminal below which it makes no sense, and those it likes to have. */
  readonly min: number;
  readonly preferred: number;
  /** What is left of the terminal's width goes to the column that takes the rest. */
  readonly takesRest?: boolean;
  readonly align?: 'left' | 'right';
  /** On a narrow terminal the columns with the highest number are left out first; without one, never. */
  readonly leaveOut?: number;
  cell(record: R): string;
}

const GAP = '  ';

/** Which columns fit into `width`, and how wide each is. */
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

/** Writes records as lines of equal columns, at most `width` wide, whatever is in them. Widths do not depend on the records, so lines can be written one by one. */
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
