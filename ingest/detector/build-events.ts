import {
  type EventType,
  type EventV1,
  type FatalSignal,
  type KernelTrap,
  LOG_FACILITIES,
  LOG_LEVELS,
  type SuppressedCallback,
} from '#schemas/events/versions/v1.ts';
import type { SuppressedMessage } from './messages/read-suppressed.ts';
import type { TrapFacts } from './messages/read-trap.ts';
import type { FatalSignalName } from './messages/signal-names.ts';

/** Fields that the first line of an event determines. */
export interface Origin {
  readonly timestamp: string;
  readonly hostname: string | null;
  /** Syslog severity and facility; null if the log does not contain them. */
  readonly level: number | null;
  readonly facility: number | null;
}

const EMERGENCY = 0;
const WARNING = 4;
const INFO = 6;

/** Builds the V1 event of a trap. */
export function trapEvent(origin: Origin, facts: TrapFacts): EventV1 {
  const event: KernelTrap = {
    type: 'LinuxKernelTrap',
    // Defaults for a log without levels are the levels that the kernel uses. The death of init is an emergency.
    ...priority(origin, facts.pid > 1 ? INFO : EMERGENCY),
    errcode: facts.errcode,
    ip: facts.ip,
    sp: facts.sp,
    pid: facts.pid,
    procname: facts.procname,
    trap: facts.trap,
    file: facts.mapping?.file ?? null,
    vmasize: facts.mapping?.vmasize ?? null,
    vmastart: facts.mapping?.vmastart ?? null,
  };
  return wrap(origin, event);
}

/** Builds the V1 event of a fatal signal with the content of its dump. */
export function fatalSignalEvent(origin: Origin, signal: FatalSignalName, dump: Record<string, string>): EventV1 {
  const event: FatalSignal = { type: 'LinuxFatalSignal', ...priority(origin, INFO), signal, stack_dump: dump };
  return wrap(origin, event);
}

/** Builds the V1 event of suppressed messages. */
export function suppressedEvent(origin: Origin, message: SuppressedMessage): EventV1 {
  const event: SuppressedCallback = {
    type: 'LinuxSuppressedCallback',
    ...priority(origin, WARNING),
    count: message.count,
    function_name: message.functionName,
  };
  return wrap(origin, event);
}

function wrap({ timestamp, hostname }: Origin, event: EventType): EventV1 {
  return { version: 'V1', timestamp, hostname, event };
}

function priority(origin: Origin, defaultLevel: number): Pick<KernelTrap, 'level' | 'facility'> {
  return {
    // Facilities 12 to 23 have no name in the format. The kernel never uses them; messages of userspace are `User`.
    facility: LOG_FACILITIES[origin.facility ?? 0] ?? 'User',
    level: LOG_LEVELS[origin.level ?? defaultLevel] ?? 'Info',
  };
}
