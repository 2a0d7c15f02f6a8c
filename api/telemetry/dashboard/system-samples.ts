import { performance } from 'node:perf_hooks';

/** How a process was at one time. */
export interface SystemSample {
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** Of one core, since the sample before. */
  readonly cpuPercent: number;
  readonly memoryBytes: number;
  readonly heapUsedBytes: number;
  /** How much of the time the event loop was busy since the sample before, 0 to 100. */
  readonly eventLoopPercent: number;
}

export interface SystemSamples {
  /** What was sampled in the stretch, oldest first, and a sample of now when that lies in it. */
  between(fromMs: number, toMs: number): SystemSample[];
  close(): void;
}

/** Samples the process it runs in, every so often, and keeps the latest: with the defaults those of 24 hours, about 200 KiB. */
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
