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

/** A trace instance of this process: a ring of its own that other tracers do not see. */
export interface TraceInstance {
  /** Open `trace_pipe`; a read blocks until an entry comes. */
  readonly fd: number;
  /** Entries that the kernel overwrote or dropped since the instance was made. */
  lost(): number;
  /** Ends a read that blocks. */
  wake(): void;
  /** Closes the ring and removes the instance. No read may be in progress. */
  close(): void;
}

/** Why the crashes cannot be traced; the message says what to do. */
export class TraceUnavailableError extends Error {
  override readonly name = 'TraceUnavailableError';
}

/** Signals that the kernel sends for a fault, and SIGABRT. Without a handler they end the process. */
const FILTER = '(sig==4||sig==5||sig==6||sig==7||sig==8||sig==11)&&sa_handler==0';
/** Of each processor: about 1,600 crashes between two reads. The kernel's own default would cost 1.4 MiB each. */
const BUFFER_KIB = '256';
const PREFIX = 'trapline-';
const PLACES = ['sys/kernel/tracing', 'sys/kernel/debug/tracing'];

/**
 * Makes the instance below `root` (`/` on a machine) and removes those of detectors that were killed.
 * Throws `TraceUnavailableError` where the system does not permit it or lacks the event.
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
    // The clock of printk, so that times compare with those of the kernel log.
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
  // A blocked read would keep a process from exiting that ends without `close`.
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

/** Sums what the statistics of all processors report as overwritten or dropped. */
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

/** Removes the instances of processes that no longer run. One that is still read is refused by the kernel and left. */
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
    // In use, or gone: the next start tries again.
  }
}

/** When the process started, in clock ticks since boot; null when it does not run. With the pid it identifies a process. */
function startTimeOf(root: string, pid: number): string | null {
  try {
    const stat = readFileSync(join(root, 'proc', String(pid), 'stat'), 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
