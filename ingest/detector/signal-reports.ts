import type { Origin } from './build-events.ts';
import type { Growing } from './open-dumps.ts';
import type { Witness } from './witnesses/witness.ts';
import { witnessEvent } from './witnesses/witness-event.ts';

/**
 * Reports of fatal signals that the kernel prints before the dump of the same crash: grsecurity reports a signal when it is sent, and
 * `kernel.print-fatal-signals` dumps the process when it receives the signal. The dump says more, so it takes the report in.
 */
export interface SignalReports {
  /** The event of a report, open until a dump takes the report in or none can come any more. */
  hold(report: Witness, origin: Origin): Growing;
  /** The report of this signal for the dump of the process; it then gives no event of its own. */
  takeIn(pid: number, signal: number): Witness | undefined;
}

/** No reports yet. */
export function createSignalReports(): SignalReports {
  const held = new Map<number, Witness>();
  const taken = new WeakSet<Witness>();
  return {
    hold(report, origin) {
      held.set(report.pid, report);
      return {
        kind: 'report',
        subject: '',
        pointers: null,
        row: () => {},
        mapping: () => {},
        build: () => {
          if (held.get(report.pid) === report) held.delete(report.pid);
          return taken.has(report) ? null : witnessEvent(report, origin);
        },
      };
    },
    takeIn(pid, signal) {
      const report = held.get(pid);
      if (report?.signal !== signal) return undefined;
      held.delete(pid);
      taken.add(report);
      return report;
    },
  };
}
