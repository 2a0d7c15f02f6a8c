import type { Machine } from './machine.ts';
import { type BenchRow, isMet } from './row.ts';

const HEAD = ['what', 'value', 'baseline', 'unit', 'ratio', 'target', 'met'];

/** Returns the machine, then one line for each figure with its details below. */
export function reportText(machine: Machine, rows: readonly BenchRow[]): string {
  const cells = rows.map(cellsOf);
  const widths = HEAD.map((head, column) => Math.max(head.length, ...cells.map((line) => line[column]?.length ?? 0)));
  const line = (texts: readonly string[]) =>
    texts
      .map((text, column) =>
        column === 0 || column === 3 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return [
    machineText(machine),
    '',
    line(HEAD),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.flatMap((row, index) => [
      line(cells[index] ?? []),
      ...(row.details ?? []).map((detail) => `    ${detail}`),
    ]),
    '',
  ].join('\n');
}

function machineText(machine: Machine): string {
  const packages = Object.entries(machine.packages).map(([name, version]) => `${name} ${version}`);
  return [
    `${machine.cores} × ${machine.processor}, ${machine.memoryGiB} GiB, Linux ${machine.kernel}, load ${machine.loadBefore}`,
    `Node ${machine.node}, ${packages.join(', ')}, Trapline ${machine.revision}`,
  ].join('\n');
}

function cellsOf(row: BenchRow): string[] {
  const met = isMet(row);
  const { target } = row;
  return [
    row.name,
    numberText(row.value),
    row.baseline === null ? '' : numberText(row.baseline),
    row.unit,
    row.ratio === null ? '' : row.ratio.toFixed(2),
    target === null ? '' : row.ratio === null ? `< ${numberText(target)}` : `>= ${target.toFixed(2)}`,
    met === null ? '' : met ? 'yes' : 'NO',
  ];
}

function numberText(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value >= 100 ? 0 : 2 });
}
