import { terminalText } from '#analytics/formats/terminal-text.ts';

/** Rows under their titles, each column as wide as it has to be. What comes from others can't move the cursor. */
export function textTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [titles, ...rows.map((row) => row.map(terminalText))];
  const widths = titles.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
