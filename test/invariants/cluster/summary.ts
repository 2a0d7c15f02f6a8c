import type { ActorKind, UnplannedEnd } from './actor.ts';
import { FAULT_KINDS, type FaultKind } from './faults/plan.ts';

/** What a run did and found. */
export interface RunSummary {
  readonly seed: number;
  readonly problems: readonly string[];
  readonly seconds: number;
  /** The faults that were done: `what` is the kind of process. */
  readonly faults: readonly { readonly kind: FaultKind; readonly what: readonly ActorKind[] }[];
  readonly figures: Readonly<Record<string, number>>;
  readonly unplanned: readonly Pick<UnplannedEnd, 'name' | 'code'>[];
}

/** The faults of all runs, by kind of fault and kind of process, and the figures, as lines of a table. */
export function summaryLines(runs: readonly RunSummary[]): string[] {
  const counts = new Map<string, number>();
  const add = (kind: FaultKind, what: ActorKind) =>
    counts.set(`${kind} ${what}`, (counts.get(`${kind} ${what}`) ?? 0) + 1);
  for (const { faults } of runs) for (const { kind, what } of faults) for (const one of what) add(kind, one);
  const kinds = [...new Set(runs.flatMap(({ faults }) => faults.flatMap(({ what }) => what)))].sort();
  const head = ['', ...FAULT_KINDS, 'all'];
  const rows = kinds.map((what) => {
    const cells = FAULT_KINDS.map((kind) => counts.get(`${kind} ${what}`) ?? 0);
    return [what, ...cells.map(String), String(cells.reduce((sum, cell) => sum + cell, 0))];
  });
  const faults = FAULT_KINDS.map((kind) => runs.flatMap((run) => run.faults).filter((fault) => fault.kind === kind));
  const total = ['faults', ...faults.map(({ length }) => String(length)), String(faults.flat().length)];
  return [...aligned([head, ...rows, total]), '', ...figureLines(runs)];
}

function figureLines(runs: readonly RunSummary[]): string[] {
  const names = [...new Set(runs.flatMap(({ figures }) => Object.keys(figures)))];
  const sums = names.map((name) => [name, runs.reduce((sum, { figures }) => sum + (figures[name] ?? 0), 0)] as const);
  const ends = Map.groupBy(
    runs.flatMap(({ unplanned }) => unplanned),
    ({ name, code }) => `${name.replace(/-.*/, '')} with exit code ${code}`,
  );
  return [
    ...sums.map(([name, sum]) => `${name}: ${sum}`),
    ...[...ends].map(([end, of]) => `ended by itself: ${end}, ${of.length} times`),
  ];
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
}
