import { loadavg } from 'node:os';
import type { Outcome } from './outcomes.ts';
import { mebibytes, type Session } from './session.ts';
import { addSummaries, type Summary } from './summary.ts';

/** Counts outcomes by kind and accumulates the measurements of all sessions of a run. */
export interface Tally {
  count(outcomes: readonly Outcome[]): void;
  countFault(name: string): void;
  readonly cases: number;
  /** Returns the progress as one line. */
  progress(session: Session, total: number): string;
  /** Returns the figures of all sessions so far. `session` is the current one. */
  summary(session: Session, nextUnit: number): Summary;
  /** Adds the measurements of a session that has ended. */
  keep(session: Session): void;
}

export function createTally(seed: number): Tally {
  const outcomes: Record<string, Record<string, number>> = {};
  const faults: Record<string, number> = {};
  const began = performance.now();
  let cases = 0;
  let earlier: Summary[] = [];

  const seconds = () => (performance.now() - began) / 1_000;
  return {
    count(counted) {
      for (const { case: one, outcome } of counted) {
        outcomes[one.kind] ??= {};
        const ofKind = outcomes[one.kind] as Record<string, number>;
        ofKind[outcome] = (ofKind[outcome] ?? 0) + 1;
      }
      cases += counted.filter(({ outcome }) => outcome !== 'interrupted').length;
    },
    countFault(name) {
      faults[name] = (faults[name] ?? 0) + 1;
    },
    get cases() {
      return cases;
    },
    progress(session, total) {
      return `${cases} of ${total} cases, ${(cases / seconds()).toFixed(1)} a second; ${shortFigures(session)}`;
    },
    summary(session, nextUnit) {
      const measured = addSummaries([...earlier, figuresOf(session)]);
      return { ...measured, seeds: [seed], cases, seconds: seconds(), nextUnit, outcomes, faults };
    },
    keep(session) {
      earlier = [...earlier, figuresOf(session)];
    },
  };
}

function figuresOf(session: Session): Summary {
  const processes = session
    .memory()
    .filter(({ command, peakBytes }) => command !== '' && peakBytes > 2 ** 20)
    .map(({ engine, command, peakBytes, cpuSeconds }) => ({
      processes: { [nameOf(engine, command)]: { peakMiB: mebibytes(peakBytes), cpuSeconds } },
    }));
  const none = { seeds: [], cases: 0, seconds: 0, nextUnit: 0, outcomes: {}, faults: {}, health: {}, statuses: {} };
  return {
    ...addSummaries(processes.map((one) => ({ ...none, ...one }))),
    health: session.probe()?.targets ?? {},
    statuses: Object.fromEntries(session.statuses()),
  };
}

/** Returns one name for all processes of a kind: PostgreSQL has one process for each connection. */
function nameOf(engine: boolean, command: string): string {
  if (!engine) return `service: ${command.replaceAll(/\S*\/(\S)/g, '$1').slice(0, 80)}`;
  return /postgres/.test(command) ? 'engine: each process of PostgreSQL' : 'engine: ClickHouse';
}

function shortFigures(session: Session): string {
  const peak = Math.max(
    0,
    ...session
      .memory()
      .filter(({ engine }) => !engine)
      .map(({ peakBytes }) => peakBytes),
  );
  const gaps = Object.entries(session.probe()?.targets ?? {}).map(
    ([name, { longest, longestOwn }]) =>
      `${name} ${longest?.ms ?? 0} (own ${(longestOwn?.ms ?? 0) - (longestOwn?.waitedMs ?? 0)})`,
  );
  return `peak ${mebibytes(peak)} MiB, longest gap ms: ${gaps.join(', ')}; load ${loadavg()[0]?.toFixed(1)}`;
}
