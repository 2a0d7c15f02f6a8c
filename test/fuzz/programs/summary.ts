import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Gap } from './probe-messages.ts';

type Counts = Readonly<Record<string, number>>;

/** Figures of one endpoint. */
export interface Answered {
  readonly answers: number;
  readonly refused: Counts;
  readonly longest: Gap | undefined;
  /** The longest gap after subtraction of the time that the service waited for processors that other processes used. */
  readonly longestOwn: Gap | undefined;
  readonly slowestAnswerMs: number;
}

/** Figures of one or several runs. */
export interface Summary {
  readonly seeds: readonly number[];
  readonly cases: number;
  readonly seconds: number;
  /** First unit of a later run with the same seed (`--first-unit`). */
  readonly nextUnit: number;
  /** Number of outcomes by kind of case. */
  readonly outcomes: Readonly<Record<string, Counts>>;
  readonly faults: Counts;
  /** Highest peak memory for each kind of process, and the processor time of all processes of that kind. */
  readonly processes: Readonly<Record<string, { readonly peakMiB: number; readonly cpuSeconds: number }>>;
  readonly health: Readonly<Record<string, Answered>>;
  readonly statuses: Counts;
}

export function addSummaries(summaries: readonly Summary[]): Summary {
  const sumOf = (pick: (summary: Summary) => number) => summaries.reduce((sum, one) => sum + pick(one), 0);
  return {
    seeds: [...new Set(summaries.flatMap(({ seeds }) => seeds))],
    cases: sumOf(({ cases }) => cases),
    seconds: sumOf(({ seconds }) => seconds),
    nextUnit: Math.max(0, ...summaries.map(({ nextUnit }) => nextUnit)),
    outcomes: merge(
      summaries.map(({ outcomes }) => outcomes),
      addCounts,
    ),
    faults: summaries.map(({ faults }) => faults).reduce(addCounts, {}),
    processes: merge(
      summaries.map(({ processes }) => processes),
      (a, b) => ({ peakMiB: Math.max(a.peakMiB, b.peakMiB), cpuSeconds: a.cpuSeconds + b.cpuSeconds }),
    ),
    health: merge(
      summaries.map(({ health }) => health),
      addAnswered,
    ),
    statuses: summaries.map(({ statuses }) => statuses).reduce(addCounts, {}),
  };
}

export function formatSummary({
  cases,
  seconds,
  outcomes,
  faults,
  processes,
  health,
  statuses,
  seeds,
}: Summary): string {
  const listOf = (counts: Counts) =>
    Object.entries(counts)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  const gapText = (gap: Gap | undefined) =>
    gap === undefined
      ? '0 ms'
      : `${gap.ms} ms (waited for a processor ${gap.waitedMs} ms, bare server ${gap.bareMs} ms)`;
  return [
    `seeds ${seeds.join(', ')}: ${cases} cases in ${seconds.toFixed(0)} s, ${(cases / Math.max(seconds, 1)).toFixed(1)} a second`,
    ...Object.entries(outcomes).map(([kind, counts]) => `  ${kind.padEnd(11)}${listOf(counts)}`),
    'memory and processor time',
    ...Object.entries(processes).map(
      ([name, { peakMiB, cpuSeconds }]) => `  peak ${peakMiB} MiB, ${cpuSeconds.toFixed(0)} s  ${name}`,
    ),
    'health',
    ...Object.entries(health).map(
      ([name, { answers, refused, longest, longestOwn, slowestAnswerMs }]) =>
        `  ${name.padEnd(12)}${answers} answers${Object.keys(refused).length === 0 ? '' : `, refused ${listOf(refused)}`}, longest time without one ${gapText(longest)}, without the time waited ${longestOwn === undefined ? 0 : longestOwn.ms - longestOwn.waitedMs} ms, slowest answer ${slowestAnswerMs} ms`,
    ),
    `answers by status: ${listOf(statuses)}`,
    `faults: ${Object.keys(faults).length === 0 ? 'none' : listOf(faults)}`,
  ].join('\n');
}

/** Replaces the file atomically, so that a killed run leaves its last figures. */
export async function writeSummary(file: string, summary: Summary): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(`${file}.part`, `${JSON.stringify(summary, null, 1)}\n`);
  await rename(`${file}.part`, file);
}

export async function readSummaries(folder: string): Promise<Summary[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(path.join(folder, name), 'utf8')) as Summary));
}

function addAnswered(a: Answered, b: Answered): Answered {
  const longer = (x: Gap | undefined, y: Gap | undefined, lengthOf: (gap: Gap) => number) =>
    x === undefined || (y !== undefined && lengthOf(y) > lengthOf(x)) ? y : x;
  return {
    answers: a.answers + b.answers,
    refused: addCounts(a.refused, b.refused),
    longest: longer(a.longest, b.longest, ({ ms }) => ms),
    longestOwn: longer(a.longestOwn, b.longestOwn, ({ ms, waitedMs }) => ms - waitedMs),
    slowestAnswerMs: Math.max(a.slowestAnswerMs, b.slowestAnswerMs),
  };
}

function addCounts(a: Counts, b: Counts): Counts {
  return merge([a, b], (x, y) => x + y);
}

function merge<T>(all: readonly Readonly<Record<string, T>>[], add: (a: T, b: T) => T): Record<string, T> {
  const merged = new Map<string, T>();
  for (const [name, value] of all.flatMap(Object.entries) as [string, T][]) {
    const before = merged.get(name);
    merged.set(name, before === undefined ? value : add(before, value));
  }
  return Object.fromEntries(merged);
}
