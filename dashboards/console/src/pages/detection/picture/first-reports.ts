import { ABORT_SIGNAL, FAULT_SIGNALS, SAME_CRASH_SECONDS } from '#schemas/crash.ts';
import type { EventRecord } from '../detection-types.ts';
import { secondsOf } from './crash-text.ts';

const FAULTS: ReadonlySet<unknown> = new Set(FAULT_SIGNALS);

/** Fields of a line that are compared with later lines of the same process. */
interface Line {
  readonly time: string;
  readonly seconds: number;
  readonly type: string;
  readonly ip: string | undefined;
  readonly signal: unknown;
}

/**
 * Returns the first line about each crash, as `schemas/crash.ts` defines it and the server counts it. `events`: oldest
 * first. Omits other signals, repeated deliveries, the dump of a crash with a trap line, and reports of the same signal
 * by another source.
 */
export function firstReports(events: readonly EventRecord[]): EventRecord[] {
  const previous = new Map<string, Line>();
  return events.filter((record) => {
    const { type, signal } = record.event.event;
    const isFault = type === 'LinuxFatalSignal' && FAULTS.has(signal);
    if (type !== 'LinuxKernelTrap' && !isFault && !(type === 'LinuxFatalSignal' && signal === ABORT_SIGNAL))
      return false;
    const pid = pidOf(record);
    const line = { time: record.time, seconds: secondsOf(record), type, ip: record.hex.ip, signal };
    const before = pid === undefined ? undefined : previous.get(pid);
    if (pid !== undefined) previous.set(pid, line);
    if (before === undefined || line.seconds - before.seconds > SAME_CRASH_SECONDS) return true;
    const isSameLine = line.time === before.time && type === before.type && line.ip === before.ip;
    const isDumpOfTrap =
      isFault &&
      before.type === 'LinuxKernelTrap' &&
      (line.ip === undefined || before.ip === undefined || line.ip === before.ip);
    const isWitness =
      signal !== undefined && signal === before.signal && (line.ip === undefined || before.ip === undefined);
    return !(isSameLine || isDumpOfTrap || isWitness);
  });
}

/** Returns the process id of a crash line. A dump contains it among its registers. */
function pidOf({ event: { event } }: EventRecord): string | undefined {
  const { pid, stack_dump: dump } = event;
  if (pid !== undefined) return String(pid);
  return typeof dump === 'object' && dump !== null && 'PID' in dump ? String(dump.PID) : undefined;
}
