import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { compile } from '../lab/compile.ts';
import { temporaryFolder } from '../support/services/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import { cpuSeconds } from './processes.ts';
import { type BenchRow, boundRow, ratioRow } from './row.ts';

const LAUNCHER = new URL('../../bin/trapline', import.meta.url).pathname;
const SETTLE_MS = 5_000;
const IDLE_MS = 120_000;
const CRASHES = 1_000;
const PER_SECOND = 200;
/** Events are delayed by one second, so that the lines of one crash can be merged. */
const LAST_EVENTS_MS = 5_000;
const NAME = 'lab-storm';

interface Traced {
  readonly pid: number;
  readonly event: { readonly procname?: string; readonly process?: { readonly executable?: string } };
}

/**
 * Measures the processor time of `detect --from tracefs` while nothing crashes, and how many of 1,000 crashes at 200
 * per second it reports. Needs root, tracefs and gcc.
 */
export async function benchDetectorTrace(): Promise<BenchRow[]> {
  return temporaryFolder('bench', async (folder) => {
    const program = await compile('storm', folder, NAME, []);
    const detector = spawn(LAUNCHER, ['detect', '--from', 'tracefs', '--hostname', 'bench'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(detector, 'exit');
    const found: Traced[] = [];
    createInterface(detector.stdout).on('line', (line) => found.push(...tracedIn(line)));
    let log = '';
    detector.stderr.on('data', (text: Buffer) => {
      log += text.toString();
    });
    try {
      await waitFor('tracing', () => log.includes('tracing fatal signals') || log.includes('tracefs is not available'));
      if (!log.includes('tracing fatal signals')) throw new Error(log);
      await pause(SETTLE_MS);
      const share = await idleShare(detector.pid as number);
      const before = cpuSeconds(detector.pid);
      const { stdout } = await promisify(execFile)(program, [String(CRASHES), String(PER_SECOND)]);
      await pause(LAST_EVENTS_MS);
      const spent = cpuSeconds(detector.pid) - before;
      const died = Number(stdout);
      const distinct = new Set(found.map(({ pid }) => pid)).size;
      const attributed = found.filter(({ event }) => event.process?.executable === program).length;
      return [
        boundRow('detector-trace: processor time while nothing crashes', '% of a core', share, 1),
        {
          ...ratioRow(`detector-trace: crashes at ${PER_SECOND} a second`, 'crashes', distinct, died, 1),
          details: [
            `${found.length} events, ${attributed} with their executable, ${((spent / died) * 1000).toFixed(2)} ms of processor time each`,
          ],
        },
      ];
    } finally {
      detector.kill('SIGTERM');
      await exited;
    }
  });
}

async function idleShare(pid: number): Promise<number> {
  const [before, begun] = [cpuSeconds(pid), performance.now()];
  await pause(IDLE_MS);
  return ((cpuSeconds(pid) - before) / ((performance.now() - begun) / 1000)) * 100;
}

/** Returns the event of the line if it is a crash of the program. */
function tracedIn(line: string): Traced[] {
  const { event } = JSON.parse(line) as {
    readonly event: Traced['event'] & { readonly pid?: number; readonly stack_dump?: Readonly<Record<string, string>> };
  };
  const name = event.procname ?? event.stack_dump?.Comm;
  return name === NAME ? [{ pid: event.pid ?? Number(event.stack_dump?.PID), event }] : [];
}
