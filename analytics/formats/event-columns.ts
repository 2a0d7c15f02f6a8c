import type { EventType, KernelTrapType, U64 } from '#schemas/events/v1.ts';
import { parseRegister } from './hexadecimal.ts';

/** The fields of any event side by side, named as the columns of the table `events`; null where the kind of event has no such field. */
export interface EventColumns {
  readonly type: string;
  readonly procname: string | null;
  readonly pid: U64 | null;
  readonly ip: U64 | null;
  readonly sp: U64 | null;
  readonly file: string | null;
  readonly vmastart: U64 | null;
  readonly vmasize: U64 | null;
  /** What trap it was, in words: see `trapText`. */
  readonly trap: string | null;
  /** The address a segfault touched. */
  readonly location: U64 | null;
  readonly signal: string | null;
  readonly function_name: string | null;
  readonly count: U64 | null;
  readonly level: string | null;
  readonly facility: string | null;
  readonly register: string | null;
  readonly message: string | null;
  readonly key: string | null;
  readonly expected_value: string | null;
  readonly observed_value: string | null;
}

const NOTHING: EventColumns = {
  type: '',
  procname: null,
  pid: null,
  ip: null,
  sp: null,
  file: null,
  vmastart: null,
  vmasize: null,
  trap: null,
  location: null,
  signal: null,
  function_name: null,
  count: null,
  level: null,
  facility: null,
  register: null,
  message: null,
  key: null,
  expected_value: null,
  observed_value: null,
};

/** The trap in the words that CEF consumers of kernel traps already match on; a generic one is its own description. */
export function trapText(trap: KernelTrapType): string {
  switch (trap.type) {
    case 'Segfault':
      return `Segfault at location ${trap.location}`;
    case 'InvalidOpcode':
      return 'Invalid Opcode';
    case 'GeneralProtectionFault':
      return 'General Protection Fault';
    default:
      return trap.description;
  }
}

/** How many events a RegisterProbe rests on, whichever of the three shapes says so. */
export function justifyingEvents(event: Extract<EventType, { type: 'RegisterProbe' }>): U64 {
  const justification = event.justification;
  if ('FullEvents' in justification) return justification.FullEvents.length;
  if ('RegisterValues' in justification) return justification.RegisterValues.length;
  return justification.EventCount;
}

function decimal(text: string | undefined): U64 | null {
  if (text === undefined || !/^\d{1,10}$/.test(text.trim())) return null;
  return Number(text);
}

/** Flattens an event. A fatal signal names its process and its pointers in the dump only, so they are read from there when they can be. */
export function eventColumns(event: EventType): EventColumns {
  switch (event.type) {
    case 'LinuxKernelTrap':
      return {
        ...NOTHING,
        type: event.type,
        procname: event.procname,
        pid: event.pid,
        ip: event.ip,
        sp: event.sp,
        file: event.file ?? null,
        vmastart: event.vmastart ?? null,
        vmasize: event.vmasize ?? null,
        trap: trapText(event.trap),
        location: event.trap.type === 'Segfault' ? event.trap.location : null,
        level: event.level,
        facility: event.facility,
      };
    case 'LinuxFatalSignal': {
      const dump = event.stack_dump;
      return {
        ...NOTHING,
        type: event.type,
        procname: dump.Comm ?? null,
        pid: decimal(dump.PID),
        ip: parseRegister(dump.RIP) ?? null,
        sp: parseRegister(dump.RSP) ?? null,
        signal: event.signal,
        level: event.level,
        facility: event.facility,
      };
    }
    case 'LinuxSuppressedCallback':
      return {
        ...NOTHING,
        type: event.type,
        function_name: event.function_name,
        count: event.count,
        level: event.level,
        facility: event.facility,
      };
    case 'ConfigMismatch':
      return {
        ...NOTHING,
        type: event.type,
        key: event.key,
        expected_value: event.expected_value,
        observed_value: event.observed_value,
      };
    default:
      return {
        ...NOTHING,
        type: event.type,
        procname: event.procname,
        register: event.register,
        message: event.message,
        count: justifyingEvents(event),
      };
  }
}
