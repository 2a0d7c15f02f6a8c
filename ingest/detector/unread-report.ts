import type { KernelLogParser } from './kernel-log-parser.ts';
import type { DetectorLog } from './log.ts';

/**
 * Returns a function that logs the forms of unread faults that are new, and those whose number has grown tenfold since they were
 * logged: a fault in a loop must not fill the log.
 */
export function createUnreadReport({ stats, unreadForms }: KernelLogParser, log: DetectorLog): () => void {
  const nextReport = new Map<string, number>();
  let reportedTotal = 0;

  return () => {
    if (stats.unreadFaults === reportedTotal) return;
    reportedTotal = stats.unreadFaults;
    for (const [form, count] of unreadForms) {
      if (count < (nextReport.get(form) ?? 1)) continue;
      nextReport.set(form, 10 ** Math.ceil(Math.log10(count + 1)));
      log('warn', { form, count }, 'fault messages of an unknown form were not understood');
    }
  };
}
