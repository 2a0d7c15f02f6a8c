import { fromEpochUs } from './calendar-time.ts';
import type { KernelLine } from './kernel-line.ts';

const WHOLE_SECONDS = /T\d{2}:\d{2}:\d{2}(?:Z|[+-]\d{2}:\d{2})$/;
const SECOND_US = 1e6;
/** Hosts of one log; the oldest gives way. */
const MAX_HOSTS = 256;

/** Gives the lines of a log times of microseconds where the log shows them. */
interface FineTime {
  /** Replaces a time of whole seconds by one of microseconds, when the line also has the uptime. */
  refine(line: KernelLine): void;
}

/**
 * Syslog daemons write whole seconds, and the uptime of the kernel behind them. The difference of both is the start of the machine, too early by less than a second: the
 * largest difference of all lines of a host is the best estimate. A time outside the second that the line names begins a new estimate: the clock was set, or the
 * machine slept or was started again.
 */
export function createFineTime(): FineTime {
  /** Start of the machine in microseconds since the epoch, by host. */
  const starts = new Map<string, number>();
  let text = '';
  let second = 0;

  function secondOf(realtime: string): number {
    if (realtime !== text) {
      text = realtime;
      second = Date.parse(realtime) * 1000;
    }
    return second;
  }

  return {
    refine(line) {
      if (line.realtime === null || line.monotonicUs === null || !WHOLE_SECONDS.test(line.realtime)) return;
      const host = line.hostname ?? '';
      const from = secondOf(line.realtime);
      const start = starts.get(host);
      const time = start === undefined ? from : start + line.monotonicUs;
      if (start === undefined || time < from || time >= from + SECOND_US) {
        if (start === undefined && starts.size >= MAX_HOSTS) starts.delete(starts.keys().next().value as string);
        starts.set(host, from - line.monotonicUs);
        return;
      }
      if (time > from) line.realtime = fromEpochUs(time) ?? line.realtime;
    },
  };
}
