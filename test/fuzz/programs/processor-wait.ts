import { readFileSync } from 'node:fs';

/** One reading of the counters. All times are in ms, since the start of the system or of the process. */
interface Sample {
  readonly at: number;
  /** Time for which the main thread was runnable and waited for a processor. */
  readonly waitedMs: number;
  /** Processor time used by all threads of the process. */
  readonly ownMs: number;
  /** Processor time used by all processes. */
  readonly busyMs: number;
}

export interface ProcessorWait {
  sample(now: number): void;
  /**
   * Returns the ms that the main thread waited for a processor between two times, scaled by the share of processor time
   * that other processes used.
   */
  between(from: number, to: number): number;
}

const KEPT_MS = 120_000;
/** `USER_HZ` of Linux on every architecture that Node.js supports. */
const MS_PER_TICK = 10;

/**
 * Distinguishes delays that a process causes itself from delays caused by a busy machine. Reads the scheduler
 * statistics in /proc.
 */
export function createProcessorWait(pid: number, read: (file: string) => string = readText): ProcessorWait {
  let samples: Sample[] = [];
  return {
    sample(now) {
      const taken = sampleOf(pid, now, read);
      if (taken !== undefined) samples = [...samples.filter(({ at }) => at > now - KEPT_MS), taken];
    },
    between(from, to) {
      const first = samples.findLast(({ at }) => at <= from) ?? samples[0];
      const last = samples.find(({ at }) => at >= to) ?? samples.at(-1);
      if (first === undefined || last === undefined) return 0;
      const busyMs = last.busyMs - first.busyMs;
      const othersMs = Math.max(0, busyMs - (last.ownMs - first.ownMs));
      const waitedMs = Math.min(last.waitedMs - first.waitedMs, to - from);
      return busyMs <= 0 ? 0 : Math.round((waitedMs * othersMs) / busyMs);
    },
  };
}

/** Undefined if the process has ended, or the kernel keeps no scheduler statistics. */
function sampleOf(pid: number, at: number, read: (file: string) => string): Sample | undefined {
  try {
    const [, waitedNs] = read(`/proc/${pid}/task/${pid}/schedstat`).split(' ').map(Number);
    const stat = read(`/proc/${pid}/stat`);
    // Fields 14 and 15. Field 2, the name, may contain spaces.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (
      /^cpu +(.*)/.exec(read('/proc/stat'))?.[1] ?? ''
    )
      .split(' ')
      .map(Number);
    return {
      at,
      waitedMs: (waitedNs ?? 0) / 1e6,
      ownMs: ((fields[11] ?? 0) + (fields[12] ?? 0)) * MS_PER_TICK,
      busyMs: (user + nice + system + irq + softirq + steal) * MS_PER_TICK,
    };
  } catch {
    return undefined;
  }
}

function readText(file: string): string {
  return readFileSync(file, 'utf8');
}
