import { SAME_CRASH_SECONDS } from '#schemas/crash.ts';
import type { EventV1, FatalSignal, KernelTrap } from '#schemas/events/versions/v1.ts';
import { isKernelFault } from '#schemas/kernel-fault.ts';
import type { DetectedEvent } from '../assembly-slot.ts';
import { signalName } from '../messages/signal-names.ts';
import type { TraceCrash } from './trace-crash.ts';
import { traceEvent, traceFields } from './trace-event.ts';

/** The parts of one crash that have arrived: a trap line, the dump of its fatal signal, and the trace entry. */
interface Held {
  readonly pid: number | null;
  readonly timeMs: number;
  readonly arrivedMs: number;
  /** Sequence number of its first record; null if only the trace has reported it. */
  seq: number | null;
  trap: EventV1 | null;
  dump: EventV1 | null;
  trace: TraceCrash | null;
  /** An event that is not a crash. It keeps its position between the crashes. */
  readonly other: EventV1 | null;
}

export interface CrashMerger {
  takeLog(events: readonly DetectedEvent[]): void;
  takeTrace(crash: TraceCrash): void;
  /** Removes and returns the events that can receive no more lines; with `all`, every event. */
  drain(all?: boolean): DetectedEvent[];
  /** Sequence number of the oldest record that is still held, from which a restart reads. */
  firstHeldSeq(): number | null;
}

export interface CrashMergerOptions {
  readonly hostname: string | null;
  /** Formats a time of the trace as RFC 3339. Microseconds of printk's clock. */
  readonly timestampOf: (timeUs: number) => string;
  readonly now: () => number;
}

/**
 * Maximum time between the parts of a crash. The kernel prints the lines directly before and after it delivers the
 * signal, but a slow console delays them.
 */
const HOLD_MS = 1_000;
/** Above this number, the oldest events are released incomplete. */
const MAX_HELD = 4_096;

/**
 * Merges kernel log lines and the trace entry of the same process and time into one event, in the order in which
 * crashes arrived. The event is the trap line if there is one, otherwise the dump, otherwise the trace. The other parts
 * complete it.
 */
export function createCrashMerger({ hostname, timestampOf, now }: CrashMergerOptions): CrashMerger {
  let held: Held[] = [];
  const latest = new Map<number, Held>();

  function find(part: 'trap' | 'dump' | 'trace', pid: number, timeMs: number): Held | undefined {
    const one = latest.get(pid);
    if (one === undefined || one[part] !== null) return undefined;
    return Math.abs(one.timeMs - timeMs) <= SAME_CRASH_SECONDS * 1_000 ? one : undefined;
  }

  function hold(more: Partial<Held> & { timeMs: number }): void {
    const one = { pid: null, seq: null, trap: null, dump: null, trace: null, other: null, arrivedMs: now(), ...more };
    held.push(one);
    if (one.pid !== null) latest.set(one.pid, one);
  }

  function takeEvent({ event, seq }: DetectedEvent): void {
    const timeMs = Date.parse(event.timestamp);
    const pid = pidOf(event);
    const part = event.event.type === 'LinuxKernelTrap' ? 'trap' : 'dump';
    const found = pid === null ? undefined : find(part, pid, timeMs);
    if (found === undefined) {
      hold(pid === null ? { timeMs, seq, other: event } : { timeMs, seq, pid, [part]: event });
      return;
    }
    found[part] = event;
    found.seq ??= seq;
  }

  function release(count: number): DetectedEvent[] {
    const released = held.slice(0, count);
    held = held.slice(count);
    return released.flatMap((one) => {
      if (one.pid !== null && latest.get(one.pid) === one) latest.delete(one.pid);
      const event = merge(one, (crash) => traceEvent(crash, { timestamp: timestampOf(crash.timeUs), hostname }));
      return event === null ? [] : [{ event, seq: one.seq }];
    });
  }

  return {
    takeLog(events) {
      for (const one of events) takeEvent(one);
    },
    takeTrace(crash) {
      const timeMs = Date.parse(timestampOf(crash.timeUs));
      const found = find('trace', crash.pid, timeMs);
      if (found) found.trace = crash;
      else hold({ timeMs, pid: crash.pid, trace: crash });
    },
    drain(all = false) {
      const limit = now() - HOLD_MS;
      let count = Math.max(0, held.length - MAX_HELD);
      while (count < held.length && (all || (held[count] as Held).arrivedMs <= limit)) count += 1;
      return count === 0 ? [] : release(count);
    },
    firstHeldSeq: () => held.reduce<number | null>((first, { seq }) => earliest(first, seq), null),
  };
}

function merge({ trap, dump, trace, other }: Held, fromTrace: (crash: TraceCrash) => EventV1 | null): EventV1 | null {
  if (other !== null) return other;
  if (trap !== null) {
    const { signal, stack_dump } = (dump?.event ?? {}) as Partial<FatalSignal>;
    const name = signal ?? (trace === null ? null : signalName(trace.signal));
    return extended(trap, {
      ...(name === null || name === undefined ? {} : { signal: name }),
      ...(stack_dump === undefined ? {} : { stack_dump }),
      ...(trace === null ? {} : traceFields(trace, trap.event)),
    });
  }
  const event = dump ?? (trace === null ? null : fromTrace(trace));
  if (event === null || trace === null) return event;
  return extended(event, traceFields(trace, event.event));
}

function extended(event: EventV1, more: Readonly<Record<string, unknown>>): EventV1 {
  return { ...event, event: { ...event.event, ...more } as EventV1['event'] };
}

/** Returns the smaller sequence number. Null stands for a missing number. */
export function earliest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

/**
 * Returns the process id of a crash; null for other events, and if the log does not contain it. A fault of the kernel
 * is no crash of the program.
 */
function pidOf({ event }: EventV1): number | null {
  if (event.type === 'LinuxKernelTrap' && isKernelFault(event as KernelTrap)) return null;
  if (event.type === 'LinuxKernelTrap') return Number((event as KernelTrap).pid) || null;
  return event.type === 'LinuxFatalSignal' ? Number(event.stack_dump.PID ?? 0) || null : null;
}
