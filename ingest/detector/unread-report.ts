import type { KernelLogParser } from './kernel-log-parser.ts';
import type { DetectorLog } from './log.ts';

/**
 * Returns a function that logs new forms of unread faults, and forms whose count has grown tenfold since the last log
 * entry. A fault in a loop thus does not fill the log.
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
