import {
  type EventType,
  FATAL_SIGNALS,
  type FatalSignal,
  type KernelTrap,
  type KernelTrapType,
  type U64,
} from '#schemas/events/event.ts';
import { processFacts } from '#schemas/events/process-facts.ts';
import { isKernelFault, KERNEL_FAULT_KIND } from '#schemas/kernel-fault.ts';
import { parseRegister } from './hexadecimal.ts';

/**
 * The fields of any event as a flat object, named like the columns of the table `events`. Null if the type of event has
 * no such field.
 */
export interface EventColumns {
  readonly type: string;
  readonly procname: string | null;
  readonly pid: U64 | null;
  readonly ip: U64 | null;
  readonly sp: U64 | null;
  readonly file: string | null;
  readonly vmastart: U64 | null;
  readonly vmasize: U64 | null;
  /**
   * Segfault, InvalidOpcode, GeneralProtectionFault, or the description of a generic trap. After `kernel: ` if it is a
   * fault of the kernel itself.
   */
  readonly trap: string | null;
  /** The address whose access caused a segfault. */
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
  readonly executable: string | null;
  readonly build_id: string | null;
  /** Real user id. */
  readonly uid: number | null;
  readonly unit: string | null;
  /** Id of the container. */
  readonly container: string | null;
  /** Uid of the Kubernetes pod. */
  readonly pod: string | null;
}

/** Returns the kind of a trap. Faults of the kernel have kinds of their own, so filters for crashes leave them out. */
export function trapKind(event: KernelTrap): string {
  const kind = event.trap.type === 'Generic' ? event.trap.description : event.trap.type;
  return isKernelFault(event) ? `${KERNEL_FAULT_KIND}${kind}` : kind;
}

/** Returns the name of a trap that CEF consumers of kernel traps already match. For a generic trap, its description. */
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

/** Returns the number of events that justify a RegisterProbe, from any of its three shapes. */
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

/** Creates the object. All types of events use the same shape, because this runs for each stored event. */
function columns(
  type: string,
  procname: string | null,
  level: string | null,
  facility: string | null,
): { -readonly [K in keyof EventColumns]: EventColumns[K] } {
  return {
    type,
    procname,
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
    level,
    facility,
    register: null,
    message: null,
    key: null,
    expected_value: null,
    observed_value: null,
    executable: null,
    build_id: null,
    uid: null,
    unit: null,
    container: null,
    pod: null,
  };
}

/** Returns the signal that a trap contains as an addition, which no schema validates. */
export function signalOf(value: unknown): string | null {
  return typeof value === 'string' && (FATAL_SIGNALS as readonly string[]).includes(value) ? value : null;
}

/** Adds the mapping that a fatal signal contains as an addition, which no schema validates. */
function addMapping(flat: { -readonly [K in keyof EventColumns]: EventColumns[K] }, event: FatalSignal): void {
  const { file, vmastart, vmasize } = event as Readonly<Record<string, unknown>>;
  if (typeof file === 'string') flat.file = file;
  if (Number.isSafeInteger(vmastart) && (vmastart as number) >= 0) flat.vmastart = vmastart as number;
  if (Number.isSafeInteger(vmasize) && (vmasize as number) >= 0) flat.vmasize = vmasize as number;
}

/** Adds the process facts that an event contains as an addition, which no schema validates. */
function addProcess(flat: { -readonly [K in keyof EventColumns]: EventColumns[K] }, event: EventType): void {
  const facts = processFacts(event);
  if (facts === null) return;
  flat.executable = facts.executable;
  flat.build_id = facts.buildId;
  flat.uid = facts.uid;
  flat.unit = facts.unit;
  flat.container = facts.containerId;
  flat.pod = facts.podUid;
}

/**
 * Flattens an event. A fatal signal contains its process and its pointers only in the dump, so they are parsed from
 * there if possible.
 */
export function eventColumns(event: EventType): EventColumns {
  switch (event.type) {
    case 'LinuxKernelTrap': {
      const flat = columns(event.type, event.procname, event.level, event.facility);
      flat.pid = event.pid;
      flat.ip = event.ip;
      flat.sp = event.sp;
      flat.file = event.file ?? null;
      flat.vmastart = event.vmastart ?? null;
      flat.vmasize = event.vmasize ?? null;
      flat.trap = trapKind(event);
      if (event.trap.type === 'Segfault') flat.location = event.trap.location;
      flat.signal = signalOf(event.signal);
      addProcess(flat, event);
      return flat;
    }
    case 'LinuxFatalSignal': {
      const dump = event.stack_dump;
      const flat = columns(event.type, dump.Comm ?? null, event.level, event.facility);
      flat.pid = decimal(dump.PID);
      flat.ip = parseRegister(dump.RIP) ?? null;
      flat.sp = parseRegister(dump.RSP) ?? null;
      flat.signal = event.signal;
      addMapping(flat, event);
      addProcess(flat, event);
      return flat;
    }
    case 'LinuxSuppressedCallback': {
      const flat = columns(event.type, null, event.level, event.facility);
      flat.function_name = event.function_name;
      flat.count = event.count;
      return flat;
    }
    case 'ConfigMismatch': {
      const flat = columns(event.type, null, null, null);
      flat.key = event.key;
      flat.expected_value = event.expected_value;
      flat.observed_value = event.observed_value;
      return flat;
    }
    default: {
      const flat = columns(event.type, event.procname, null, null);
      flat.register = event.register;
      flat.message = event.message;
      return flat;
    }
  }
}
