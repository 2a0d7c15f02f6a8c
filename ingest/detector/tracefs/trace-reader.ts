import { read } from 'node:fs';
import { promisify } from 'node:util';
import type { ProcessReader } from '../attribution/process-snapshot.ts';
import type { DetectorLog } from '../log.ts';
import type { TraceCrash } from './trace-crash.ts';
import type { TraceInstance } from './trace-instance.ts';
import { createTraceLines } from './trace-lines.ts';

export interface TraceReader {
  /** Number of lost entries. */
  lost(): number;
  /** Stops reading, reports the entries that have arrived, and removes the instance. */
  stop(): Promise<void>;
}

const BUFFER_BYTES = 65_536;
const CHECK_MS = 5_000;
/** A stack follows its delivery within microseconds. After this time, the crash is reported without a stack. */
const STACK_WAIT_MS = 100;
const readInto = promisify(read);

/**
 * Calls `onCrash` for each crash as soon as the kernel has written it. The read blocks one thread of the pool; an idle
 * system uses no CPU.
 */
export function startTraceReader(
  instance: TraceInstance,
  processes: ProcessReader,
  onCrash: (crash: TraceCrash) => void,
  log: DetectorLog,
): TraceReader {
  const lines = createTraceLines(processes);
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let stopping = false;
  let lost = 0;
  let late: NodeJS.Timeout | null = null;

  function checkLost(): void {
    const now = instance.lost();
    if (now <= lost) return;
    log('warn', { lost: now - lost, lostSoFar: now }, 'the trace ring ran over: entries were lost');
    lost = now;
  }

  function take(length: number): void {
    for (const crash of lines.push(buffer.toString('utf8', 0, length))) onCrash(crash);
    if (late) clearTimeout(late);
    late = setTimeout(() => {
      for (const crash of lines.flush()) onCrash(crash);
    }, STACK_WAIT_MS);
  }

  async function follow(): Promise<void> {
    while (!stopping) {
      const { bytesRead } = await readInto(instance.fd, buffer, 0, BUFFER_BYTES, null);
      take(bytesRead);
    }
  }

  const checks = setInterval(checkLost, CHECK_MS);
  const reading = follow();
  reading.catch((error: NodeJS.ErrnoException) => {
    if (!stopping)
      log(
        'error',
        { code: error.code ?? null },
        'cannot read the trace ring: crashes are read from the kernel log alone',
      );
  });

  return {
    lost: () => lost,
    async stop() {
      clearInterval(checks);
      stopping = true;
      instance.wake();
      await reading.catch(() => {});
      if (late) clearTimeout(late);
      for (const crash of lines.flush()) onCrash(crash);
      checkLost();
      instance.close();
    },
  };
}
