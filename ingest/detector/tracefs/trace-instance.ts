import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** A trace instance of this process: a separate ring buffer that other tracers do not use. */
export interface TraceInstance {
  /** File descriptor of `trace_pipe`. A read blocks until an entry arrives. */
  readonly fd: number;
  /** Returns the number of entries that the kernel overwrote or dropped since the instance was created. */
  lost(): number;
  /** Ends a blocked read. */
  wake(): void;
  /** Closes the ring buffer and removes the instance. No read may be in progress. */
  close(): void;
}

/** Crashes cannot be traced. The message states the reason and what to do. */
export class TraceUnavailableError extends Error {
  override readonly name = 'TraceUnavailableError';
}

/** Signals that the kernel sends for a fault, and SIGABRT, if they have no handler and thus end the process. */
const FILTER = '(sig==4||sig==5||sig==6||sig==7||sig==8||sig==11)&&sa_handler==0';
/**
 * Ring buffer size per processor, enough for about 1,600 crashes between two reads. The default of the kernel would
 * take 1.4 MiB each.
 */
const BUFFER_KIB = '256';
const PREFIX = 'trapline-';
const PLACES = ['sys/kernel/tracing', 'sys/kernel/debug/tracing'];

/**
 * Creates the instance below `root` (normally `/`), and removes instances of detectors that were killed. Throws
 * `TraceUnavailableError` if the system does not permit it or lacks the event.
 */
export function openTraceInstance(root: string): TraceInstance {
  const tracing = findTracing(root);
  const instances = join(tracing, 'instances');
  removeStale(root, instances);
  const path = join(instances, `${PREFIX}${process.pid}-${startTimeOf(root, process.pid) ?? 0}`);
  try {
    mkdirSync(path);
  } catch (error) {
    throw unavailable(error, `cannot create a trace instance in ${instances}`);
  }
  try {
    const event = join(path, 'events/signal/signal_deliver');
    const set = (file: string, value: string): void => writeFileSync(file, value, { flag: 'r+' });
    // The clock of printk, so that times can be compared with the kernel log.
    set(join(path, 'trace_clock'), 'local');
    set(join(path, 'buffer_size_kb'), BUFFER_KIB);
    set(join(path, 'options/userstacktrace'), '1');
    set(join(event, 'filter'), FILTER);
    set(join(event, 'enable'), '1');
    return instanceAt(path, openSync(join(path, 'trace_pipe'), constants.O_RDONLY));
  } catch (error) {
    remove(path);
    throw unavailable(error, 'cannot enable the trace event signal:signal_deliver');
  }
}

function instanceAt(path: string, fd: number): TraceInstance {
  let open = true;
  const wake = (): void => {
    if (open) writeFileSync(join(path, 'trace_marker'), 'stop', { flag: 'r+' });
  };
  // If the process ends without `close`, a blocked read would keep it from exiting.
  const onExit = (): void => wake();
  process.on('exit', onExit);
  return {
    fd,
    wake,
    lost: () => lostEntries(path),
    close() {
      if (!open) return;
      open = false;
      process.off('exit', onExit);
      closeSync(fd);
      remove(path);
    },
  };
}

/** Sums the overwritten and dropped entries in the statistics of all processors. */
function lostEntries(path: string): number {
  let lost = 0;
  for (const cpu of readdirSync(join(path, 'per_cpu'))) {
    const stats = readFileSync(join(path, 'per_cpu', cpu, 'stats'), 'utf8');
    for (const [, count] of stats.matchAll(/^(?:overrun|commit overrun|dropped events): (\d+)$/gm))
      lost += Number(count);
  }
  return lost;
}

function findTracing(root: string): string {
  let reason: unknown;
  for (const place of PLACES) {
    const path = join(root, place);
    try {
      readdirSync(join(path, 'instances'));
      return path;
    } catch (error) {
      if (reason === undefined || (error as NodeJS.ErrnoException).code !== 'ENOENT') reason = error;
    }
  }
  throw unavailable(reason, `cannot open ${join(root, PLACES[0] as string)}/instances`);
}

function unavailable(error: unknown, what: string): TraceUnavailableError {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  return new TraceUnavailableError(
    `${what} (${code}): ${ADVICE[code] ?? 'the kernel needs CONFIG_FTRACE and the event signal:signal_deliver'}`,
  );
}

const NOT_PERMITTED =
  'run as root with CAP_SYS_ADMIN, outside of a container without access to tracefs, and with kernel lockdown off';
const ADVICE: Readonly<Record<string, string>> = {
  EACCES: NOT_PERMITTED,
  EPERM: NOT_PERMITTED,
  EROFS: NOT_PERMITTED,
  ENOENT: 'mount it with `mount -t tracefs nodev /sys/kernel/tracing`; the kernel needs CONFIG_FTRACE',
};

/** Removes the instances of processes that no longer run. The kernel refuses to remove one that is still being read. */
function removeStale(root: string, instances: string): void {
  for (const name of readdirSync(instances)) {
    const owner = /^trapline-(\d+)-(\d+)$/.exec(name);
    if (owner && startTimeOf(root, Number(owner[1])) !== owner[2]) remove(join(instances, name));
  }
}

function remove(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // In use, or already removed. The next start tries again.
  }
}

/**
 * Returns the start time of a process, in clock ticks since boot; null if it does not run. With the pid, it identifies
 * the process.
 */
function startTimeOf(root: string, pid: number): string | null {
  try {
    const stat = readFileSync(join(root, 'proc', String(pid), 'stat'), 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
