import { type EventType, LOG_FACILITIES, LOG_LEVELS, type U64 } from '#schemas/events/event.ts';
import { type ProcessFacts, processFacts } from '#schemas/events/process-facts.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';
import { isKernelFault } from '#schemas/kernel-fault.ts';
import { recordId } from '#schemas/record-id.ts';
import { ecsBase, ecsHost, ecsOrchestrator, group } from './ecs-base.ts';
import { type EventColumns, eventColumns, justifyingEvents, trapText } from './event-columns.ts';
import { eventMessage } from './event-message.ts';
import { hexadecimal } from './hexadecimal.ts';
import { millisText } from './millis.ts';
import { rawLine } from './raw-line.ts';
import type { EventRecord } from './record.ts';

/** Category and type from ECS's allowed values, in the combinations that ECS expects. */
const CLASSIFICATION: Record<EventType['type'], { kind: string; category: string[]; type: string[]; action: string }> =
  {
    LinuxKernelTrap: { kind: 'event', category: ['process'], type: ['end'], action: 'kernel-trap' },
    LinuxFatalSignal: { kind: 'event', category: ['process'], type: ['end'], action: 'fatal-signal' },
    LinuxSuppressedCallback: { kind: 'event', category: ['host'], type: ['info'], action: 'callbacks-suppressed' },
    ConfigMismatch: { kind: 'event', category: ['configuration'], type: ['change'], action: 'config-mismatch' },
    RegisterProbe: { kind: 'alert', category: ['intrusion_detection'], type: ['info'], action: 'register-probe' },
  };

/** A fault of the kernel concerns the host. It ends the process only in some contexts. */
const KERNEL_FAULT = { kind: 'event', category: ['host'], type: ['info'], action: 'kernel-fault' };
const isFault = (event: EventType): boolean => event.type === 'LinuxKernelTrap' && isKernelFault(event);

/**
 * Returns an unsigned integer for a field of type `long` if it is exact as a double. Values above 2^53 - 1 are only in
 * `trapline.exact`.
 */
function long(value: U64 | null): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function hex(value: U64 | null): string | undefined {
  return value === null ? undefined : hexadecimal(value);
}

/** Returns the numbers too large for `long` fields, as decimal strings by name. */
function exactTexts({ pid, count, vmasize }: EventColumns, justifying: U64 | null): Record<string, unknown> {
  const large = (value: U64 | null) => (typeof value === 'bigint' ? value.toString() : undefined);
  return group('exact', {
    pid: large(pid),
    count: large(count),
    vmasize: large(vmasize),
    justifying_events: large(justifying),
  });
}

function syslog(columns: EventColumns): object {
  if (columns.level === null) return {};
  const severity = (LOG_LEVELS as readonly string[]).indexOf(columns.level);
  const facility = (LOG_FACILITIES as readonly (string | null)[]).indexOf(columns.facility);
  return {
    log: {
      level: columns.level.toLowerCase(),
      syslog: {
        severity: { code: severity, name: columns.level },
        facility: { code: facility, name: columns.facility },
      },
    },
  };
}

/**
 * Returns the fields that only one type of event has and that ECS does not define. Addresses are always keywords, so
 * that the index has one field type for all values.
 */
function ownFields(event: EventType, columns: EventColumns, facts: ProcessFacts | null): Record<string, unknown> {
  const justifying = event.type === 'RegisterProbe' ? justifyingEvents(event) : null;
  return group('trapline', {
    ...group('trap', {
      type: event.type === 'LinuxKernelTrap' ? event.trap.type : undefined,
      description: event.type === 'LinuxKernelTrap' ? trapText(event.trap) : undefined,
      location: hex(columns.location),
    }),
    ...(event.type === 'LinuxKernelTrap' ? { errcode: { ...event.errcode } } : {}),
    ...group('address', { ip: hex(columns.ip), sp: hex(columns.sp) }),
    ...group('mapping', { start: hex(columns.vmastart), size: long(columns.vmasize) }),
    signal: columns.signal,
    unit: facts?.unit,
    build_id: facts?.buildId,
    // A list of `NAME=value`. Dumps are unpredictable: with a field per name, a sender could create an unlimited index
    // mapping.
    stack_dump:
      event.type === 'LinuxFatalSignal'
        ? Object.entries(event.stack_dump).map(([name, value]) => `${name}=${value}`)
        : null,
    ...group('suppressed', {
      function_name: columns.function_name,
      count: long(columns.count),
    }),
    ...group('config', {
      key: columns.key,
      expected_value: columns.expected_value,
      observed_value: columns.observed_value,
    }),
    register: columns.register,
    justifying_events: long(justifying),
    ...exactTexts(columns, justifying),
  });
}

/**
 * Returns the ECS document of an event. `event.original` is the received V1 text, so nothing is lost, including unknown
 * fields.
 */
export function ecsEvent(record: EventRecord): Record<string, unknown> {
  const { event, hostname } = record.event;
  const columns = eventColumns(event);
  const { action, ...classification } = isFault(event) ? KERNEL_FAULT : CLASSIFICATION[event.type];
  const identity = record.identity;
  const facts = processFacts(event);
  return {
    ...ecsBase(formatInstant(record.time)),
    message: eventMessage(event, columns),
    event: {
      ...classification,
      action,
      code: event.type,
      module: 'trapline',
      dataset: 'trapline.event',
      ...(identity === undefined ? {} : { id: recordId(identity) }),
      ...(record.received === undefined ? {} : { ingested: millisText(record.received) }),
      original: rawLine(record.raw),
    },
    ...syslog(columns),
    ...ecsHost(hostname),
    ...group('process', {
      name: columns.procname,
      pid: long(columns.pid),
      executable: facts?.executable,
      ...group('parent', {
        pid: facts?.parentPid,
        name: facts?.parentName,
        executable: facts?.parentExecutable,
      }),
    }),
    ...group('user', { id: facts?.uid?.toString() }),
    ...group('container', { id: facts?.containerId, runtime: facts?.containerRuntime }),
    ...ecsOrchestrator(facts?.podUid ?? null),
    ...group('file', { name: columns.file }),
    ...ownFields(event, columns, facts),
  };
}
