import { loadavg } from 'node:os';
import type { Kind } from './cases/case.ts';
import type { Outcome, OutcomeName } from './outcomes.ts';
import { mebibytes, type Session } from './session.ts';

/** Counts of outcomes by kind, and what was measured meanwhile. */
export interface Tally {
  count(outcomes: readonly Outcome[]): void;
  readonly cases: number;
  /** One line. */
  progress(session: Session, total: number): string;
  summary(session: Session): string;
}

export function createTally(): Tally {
  const counts = new Map<Kind, Map<OutcomeName, number>>();
  const began = performance.now();
  let cases = 0;

  const seconds = () => (performance.now() - began) / 1_000;
  return {
    count(outcomes) {
      for (const {
        case: { kind },
        outcome,
      } of outcomes) {
        const ofKind = counts.get(kind) ?? new Map<OutcomeName, number>();
        counts.set(kind, ofKind.set(outcome, (ofKind.get(outcome) ?? 0) + 1));
      }
      cases += outcomes.length;
    },
    get cases() {
      return cases;
    },
    progress(session, total) {
      return `${cases} of ${total} cases, ${(cases / seconds()).toFixed(1)} a second; ${measured(session)}`;
    },
    summary(session) {
      const rows = [...counts].map(
        ([kind, ofKind]) =>
          `  ${kind.padEnd(11)}${[...ofKind]
            .sort()
            .map(([name, count]) => `${name} ${count}`)
            .join(', ')}`,
      );
      const processes = session
        .memory()
        .filter(({ engine, peakBytes }) => !engine || peakBytes > 50 * 2 ** 20)
        .map(
          ({ pid, engine, command, peakBytes }) =>
            `  ${engine ? 'engine ' : 'service'} ${pid} peak ${mebibytes(peakBytes)} MiB  ${command.slice(0, 90)}`,
        );
      const gaps = Object.entries(session.probe()?.targets ?? {}).map(
        ([name, { answers, longest, slowestAnswerMs, refused }]) =>
          `  ${name.padEnd(12)} ${answers} answers, longest time without one ${longest?.ms ?? 0} ms (bare server then ${longest?.bareMs ?? 0} ms, probe late by ${longest?.lateMs ?? 0} ms), slowest answer ${slowestAnswerMs} ms${Object.keys(refused).length === 0 ? '' : `, refused ${JSON.stringify(refused)}`}`,
      );
      const statuses = [...session.statuses()]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${status}: ${count}`);
      return [
        `${cases} cases in ${seconds().toFixed(0)} s`,
        ...rows,
        'memory',
        ...processes,
        'health',
        ...gaps,
        `answers by status: ${statuses.join(', ')}`,
      ].join('\n');
    },
  };
}

function measured(session: Session): string {
  const peak = Math.max(
    0,
    ...session
      .memory()
      .filter(({ engine }) => !engine)
      .map(({ peakBytes }) => peakBytes),
  );
  const gaps = Object.entries(session.probe()?.targets ?? {}).map(
    ([name, { longest }]) => `${name} ${longest?.ms ?? 0}`,
  );
  return `peak ${mebibytes(peak)} MiB, longest gap ms: ${gaps.join(', ')}; load ${loadavg()[0]?.toFixed(1)}`;
}
