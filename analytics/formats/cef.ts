import type { Detection } from '#schemas/detection.ts';
import type { EventType, U64 } from '#schemas/events/event.ts';
import { cefHeader, cefValue } from './cef-escape.ts';
import { justifyingEvents, trapText } from './event-columns.ts';
import type { Format } from './format.ts';
import { instantMillis } from './millis.ts';
import type { EventRecord } from './record.ts';

/** Absent and null values are omitted. */
type Extensions = Record<string, string | U64 | boolean | null | undefined>;
interface CefClass {
  readonly id: string;
  readonly name: string;
  readonly severity: number;
}

/**
 * Class ids, names, severities and keys, including the full names of custom keys, are those of the reference detector
 * (zerotect). A SIEM with parsers for them reads these lines without a new mapping. Vendor and product are Trapline's.
 */
const CLASSES: Record<EventType['type'], CefClass> = {
  RegisterProbe: { id: 'RegisterProbe', name: 'Probe using Register Increment', severity: 10 },
  LinuxKernelTrap: { id: 'LinuxKernelTrap', name: 'Linux Kernel Trap', severity: 10 },
  LinuxFatalSignal: { id: 'LinuxFatalSignal', name: 'Linux Fatal Signal', severity: 10 },
  LinuxSuppressedCallback: {
    id: 'LinuxSuppressedCallback',
    name: 'Linux kernel suppressed repetitive log entries',
    severity: 3,
  },
  ConfigMismatch: { id: 'ConfigMismatch', name: 'Configuration mismatched what the detector expected', severity: 4 },
};

/** Severities on CEF's scale of 0 to 10, for detections that publish no event. */
const SEVERITIES: Record<Detection['severity'], number> = { info: 1, low: 3, medium: 5, high: 8, critical: 10 };

/**
 * Returns one line. Keys are sorted, so that the same record gives the same line. A label is never written without its
 * value.
 */
function cefLine(header: CefClass, extensions: Extensions): string {
  const pairs: string[] = [];
  for (const key of Object.keys(extensions).sort()) {
    const value = extensions[key];
    if (value === null || value === undefined) continue;
    if (key.endsWith('Label') && (extensions[key.slice(0, -5)] ?? null) === null) continue;
    pairs.push(`${key}=${cefValue(String(value))}`);
  }
  return `CEF:0|Trapline|Trapline|1.0|${cefHeader(header.id)}|${cefHeader(header.name)}|${header.severity}|${pairs.join(' ')}`;
}

function eventExtensions(event: EventType): Extensions {
  switch (event.type) {
    case 'LinuxKernelTrap':
      return {
        flexString2: trapText(event.trap),
        flexString2Label: 'signal',
        dproc: event.procname,
        dpid: event.pid,
        PolyverseZerotectInstructionPointerValue: event.ip,
        PolyverseZerotectStackPointerValue: event.sp,
        fname: event.file,
        cn2: event.vmastart,
        cn2Label: 'vmastart',
        cn3: event.vmasize,
        cn3Label: 'vmasize',
        reason: event.errcode.reason,
        cs2: event.errcode.access_type,
        cs2Label: 'access_type',
        cs3: event.errcode.access_mode,
        cs3Label: 'access_mode',
        cs4: event.errcode.use_of_reserved_bit,
        cs4Label: 'use_of_reserved_bit',
        cs5: event.errcode.instruction_fetch,
        cs5Label: 'instruction_fetch',
        cs6: event.errcode.protection_keys_block_access,
        cs6Label: 'protection_keys_block_access',
      };
    case 'LinuxFatalSignal':
      // Omits the stack dump: its content is unpredictable, and CEF needs explicit mappings (event format, rule of
      // LinuxFatalSignal).
      return { flexString2: event.signal, flexString2Label: 'signal' };
    case 'LinuxSuppressedCallback':
      return { flexString1: event.function_name, flexString1Label: 'function_name', cnt: event.count };
    case 'ConfigMismatch':
      return {
        PolyverseZerotectKey: event.key,
        PolyverseZerotectExpectedValue: event.expected_value,
        PolyverseZerotectObservedValue: event.observed_value,
      };
    default:
      return {
        cs1: event.register,
        cs1Label: 'register',
        msg: event.message,
        dproc: event.procname,
        cn1: justifyingEvents(event),
        cn1Label: 'justifying_event_count',
      };
  }
}

function cefEvent(record: EventRecord): string {
  const { event, hostname } = record.event;
  return cefLine(CLASSES[event.type], { ...eventExtensions(event), rt: instantMillis(record.time), dhost: hostname });
}

/**
 * Returns the line of a detection. A detection that publishes a RegisterProbe has the class of that event, so that
 * existing SIEM rules match. Other detections have a class named after their rule.
 */
function cefDetection(d: Detection): string {
  const header =
    d.event === null ? { id: d.rule.id, name: d.rule.name, severity: SEVERITIES[d.severity] } : CLASSES.RegisterProbe;
  return cefLine(header, {
    rt: Date.parse(d.lastSeen),
    start: Date.parse(d.firstSeen),
    end: Date.parse(d.lastSeen),
    externalId: d.id,
    dhost: d.hostname,
    dproc: d.procname,
    fname: d.file,
    msg: d.message,
    cs1: d.register,
    cs1Label: 'register',
    cn1: d.evidenceCount,
    cn1Label: 'justifying_event_count',
    cnt: d.crashes,
    cn2: d.suppressedAtLeast,
    cn2Label: 'suppressed_at_least',
    cn3: d.revision,
    cn3Label: 'revision',
    cs2: d.rule.id,
    cs2Label: 'rule',
    cs3: d.attack.length === 0 ? null : d.attack.map((a) => `${a.tactic}/${a.technique}`).join(' '),
    cs3Label: 'attack',
    cs4: d.severity,
    cs4Label: 'severity',
    cs5: d.verdict,
    cs5Label: 'verdict',
    cs6: d.status,
    cs6Label: 'status',
  });
}

/** ArcSight's Common Event Format, version 0: one record per line. */
export const cef: Format = {
  name: 'cef',
  contentType: 'text/plain',
  terminator: '\n',
  event: cefEvent,
  detection: cefDetection,
};
