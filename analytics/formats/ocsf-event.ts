import { LOG_LEVELS } from '#schemas/events/event.ts';
import { type ProcessFacts, processFacts } from '#schemas/events/process-facts.ts';
import { KERNEL_FAULT_KIND } from '#schemas/kernel-fault.ts';
import { recordId } from '#schemas/record-id.ts';
import { type EventColumns, eventColumns, justifyingEvents } from './event-columns.ts';
import { eventMessage } from './event-message.ts';
import { hexadecimal } from './hexadecimal.ts';
import { instantMillis } from './millis.ts';
import {
  fitsInteger,
  OCSF_PRODUCT,
  OCSF_VERSION,
  type OcsfSeverity,
  ocsfClass,
  ocsfDevice,
  ocsfSeverity,
} from './ocsf-base.ts';
import { rawLine } from './raw-line.ts';
import type { EventRecord } from './record.ts';

/** Severities by kernel log level, Emergency to Debug. */
const LEVEL_SEVERITIES: readonly OcsfSeverity[] = [6, 5, 5, 4, 3, 2, 1, 1];

function severity(columns: EventColumns): OcsfSeverity {
  if (columns.type === 'RegisterProbe') return 4;
  if (columns.type === 'ConfigMismatch') return 3;
  return LEVEL_SEVERITIES[(LOG_LEVELS as readonly (string | null)[]).indexOf(columns.level)] ?? 1;
}

/**
 * Returns the OCSF class of an event. A crash is Process Activity: Terminate. A changed setting is Device Config
 * State Change. Both require a host, and the first also a pid. Other records are a Base Event named after their type.
 */
function classified(
  columns: EventColumns,
  hostname: string | null | undefined,
  facts: ProcessFacts | null,
): Record<string, unknown> {
  const isFault = columns.trap?.startsWith(KERNEL_FAULT_KIND) === true;
  const crash = (columns.type === 'LinuxKernelTrap' && !isFault) || columns.type === 'LinuxFatalSignal';
  if (hostname && crash && fitsInteger(columns.pid)) {
    const process = {
      pid: columns.pid,
      ...(columns.procname === null ? {} : { name: columns.procname }),
      ...(facts === null ? {} : attributed(facts)),
    };
    return {
      ...ocsfClass([1, 'System Activity'], [1007, 'Process Activity'], [2, 'Terminate']),
      actor: { process },
      process,
    };
  }
  if (hostname && columns.type === 'ConfigMismatch') {
    return ocsfClass([5, 'Discovery'], [5019, 'Device Config State Change'], [1, 'Log']);
  }
  return ocsfClass([0, 'Uncategorized'], [0, 'Base Event'], [99, columns.type]);
}

/** Returns the known process facts other than id and name. The container is an attribute of the profile `container`. */
function attributed(facts: ProcessFacts): Record<string, unknown> {
  const { executable, uid, parentPid, parentName, containerId, containerRuntime, podUid } = facts;
  return {
    ...(executable === null
      ? {}
      : { file: { name: baseName(executable), path: executable, type_id: 1, type: 'Regular File' } }),
    ...(uid === null ? {} : { user: { uid: String(uid) } }),
    ...(fitsInteger(parentPid)
      ? { parent_process: { pid: parentPid, ...(parentName === null ? {} : { name: parentName }) } }
      : {}),
    ...(containerId === null
      ? {}
      : {
          container: {
            uid: containerId,
            ...(containerRuntime === null ? {} : { runtime: containerRuntime }),
            ...(podUid === null ? {} : { pod_uuid: podUid }),
          },
        }),
  };
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const ADDRESSES: ReadonlySet<string> = new Set(['ip', 'sp', 'vmastart', 'location']);

/**
 * Returns the columns for `unmapped`: addresses in hexadecimal, large numbers as decimal strings, without absent
 * values.
 */
function unmapped(columns: EventColumns): Record<string, unknown> {
  const { type: _type, message: _message, ...rest } = columns;
  const entries = Object.entries(rest).flatMap(([name, value]): [string, unknown][] => {
    if (value === null) return [];
    if (typeof value === 'string') return [[name, value]];
    if (ADDRESSES.has(name)) return [[name, hexadecimal(value)]];
    return [[name, typeof value === 'bigint' ? value.toString() : value]];
  });
  return Object.fromEntries(entries);
}

/** Returns the OCSF event of a V1 event. `raw_data` is the received V1 text. */
export function ocsfEvent(record: EventRecord): Record<string, unknown> {
  const { event, hostname } = record.event;
  const columns = eventColumns(event);
  const identity = record.identity;
  const facts = processFacts(event);
  const profiles = [...(hostname ? ['host'] : []), ...(facts?.containerId ? ['container'] : [])];
  return {
    ...classified(columns, hostname, facts),
    ...ocsfSeverity(severity(columns)),
    time: instantMillis(record.time),
    timezone_offset: 0,
    message: eventMessage(event, columns),
    metadata: {
      version: OCSF_VERSION,
      log_name: 'events',
      event_code: columns.type,
      original_time: record.event.timestamp,
      product: OCSF_PRODUCT,
      ...(profiles.length === 0 ? {} : { profiles }),
      ...(identity === undefined ? {} : { uid: recordId(identity) }),
      ...(record.received === undefined ? {} : { logged_time: record.received }),
    },
    ...(hostname ? { device: ocsfDevice(hostname) } : {}),
    raw_data: rawLine(record.raw),
    unmapped: {
      ...unmapped(columns),
      ...(event.type === 'RegisterProbe' ? { justifying_events: String(justifyingEvents(event)) } : {}),
    },
  };
}
