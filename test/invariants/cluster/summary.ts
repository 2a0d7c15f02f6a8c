import { appendFile, readFile } from 'node:fs/promises';
import type { ActorKind, UnplannedEnd } from './actor.ts';
import { FAULT_KINDS, type FaultKind } from './faults/plan.ts';

/** An applied fault. `what` holds the kinds of its processes. */
export interface DoneFault {
  readonly kind: FaultKind;
  readonly what: readonly ActorKind[];
}

/** Faults and results of one run. */
export interface RunSummary {
  readonly seed: number;
  readonly problems: readonly string[];
  readonly seconds: number;
  /** Number of rounds without problems. */
  readonly rounds: number;
  readonly faults: readonly DoneFault[];
  readonly figures: Readonly<Record<string, number>>;
  readonly unplanned: readonly Pick<UnplannedEnd, 'name' | 'code'>[];
}

/** Appends a run to a file of runs, one JSON object per line. */
export function recordRun(file: string, run: RunSummary & { readonly shape: string }): Promise<void> {
  return appendFile(file, `${JSON.stringify({ at: new Date().toISOString(), ...run })}\n`);
}

/** Reads the runs from a file of runs. */
export async function readRuns(file: string): Promise<RunSummary[]> {
  return (await readFile(file, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Returns the lines of a table: the faults of all runs by kind of fault and kind of process, and the figures. */
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
  const failed = runs.filter(({ problems }) => problems.length > 0).length;
  const compared = runs.reduce((sum, run) => sum + run.rounds, 0);
  return [
    ...aligned([head, ...rows, total]),
    '',
    `${runs.length} runs, ${compared} rounds without problems, ${failed} runs with problems`,
    ...figureLines(runs),
  ];
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
