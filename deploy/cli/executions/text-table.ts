import { terminalText } from '#analytics/formats/terminal-text.ts';

/** Formats rows below their titles, with columns as wide as needed. Control sequences in values are escaped. */
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
