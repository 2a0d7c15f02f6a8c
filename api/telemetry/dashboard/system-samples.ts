import { performance } from 'node:perf_hooks';

/** The state of a process at one time. */
export interface SystemSample {
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** CPU use since the previous sample, in percent of one core. */
  readonly cpuPercent: number;
  readonly memoryBytes: number;
  readonly heapUsedBytes: number;
  /** Share of the time since the previous sample in which the event loop was busy, 0 to 100. */
  readonly eventLoopPercent: number;
}

export interface SystemSamples {
  /** Returns the samples of the time range, oldest first, and a present sample if the range includes now. */
  between(fromMs: number, toMs: number): SystemSample[];
  close(): void;
}

/** Samples the own process periodically and keeps the latest samples: by default those of 24 hours, about 200 KiB. */
export function createSystemSamples({ everyMs = 30_000, keep = 2_880 } = {}): SystemSamples {
  const samples: SystemSample[] = [];
  let before = { atMs: performance.now(), cpu: process.cpuUsage(), loop: performance.eventLoopUtilization() };
  const timer = setInterval(() => {
    samples.push(take());
    before = { atMs: performance.now(), cpu: process.cpuUsage(), loop: performance.eventLoopUtilization() };
    if (samples.length > keep) samples.shift();
  }, everyMs).unref();

  return {
    between(fromMs, toMs) {
      const now = take();
      return [...samples, now].filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
    },
    close: () => clearInterval(timer),
  };

  function take(): SystemSample {
    const elapsedMs = Math.max(1, performance.now() - before.atMs);
    const { user, system } = process.cpuUsage(before.cpu); // microseconds
    const { rss, heapUsed } = process.memoryUsage();
    return {
      atMs: Date.now(),
      cpuPercent: rounded((user + system) / 10 / elapsedMs),
      memoryBytes: rss,
      heapUsedBytes: heapUsed,
      eventLoopPercent: rounded(performance.eventLoopUtilization(before.loop).utilization * 100),
    };
  }
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
