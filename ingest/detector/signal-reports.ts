import type { Origin } from './build-events.ts';
import type { Growing } from './open-dumps.ts';
import type { Witness } from './witnesses/witness.ts';
import { witnessEvent } from './witnesses/witness-event.ts';

/**
 * Reports of fatal signals that the kernel prints before the dump of the same crash. grsecurity reports a signal when
 * it is sent. `kernel.print-fatal-signals` dumps the process when it receives the signal. The dump contains more, so
 * the report is merged into it.
 */
export interface SignalReports {
  /** Returns the event of a report. It stays open until a dump of the same crash arrives or can no longer arrive. */
  hold(report: Witness, origin: Origin): Growing;
  /**
   * Removes and returns the report of this signal, to merge it into the dump of the process. The report then produces
   * no event itself.
   */
  takeIn(pid: number, signal: number): Witness | undefined;
}

/** Creates an empty set of reports. */
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
