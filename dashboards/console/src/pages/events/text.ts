import { catalogue } from '../../language/catalogue.ts';
import { numberText } from '../../language/numbers.ts';
import { counted } from '../../parts/counted.ts';

/** All texts of the pages of events. */
export const EVENTS_TEXT = catalogue('events', {
  title: 'Events',
  list: 'Events',
  eventTitle: 'Event',
  /** Heading of one event. */
  name: (type: string, hostname: string | null | undefined) => (hostname ? `${type} on ${hostname}` : type),
  empty: 'No events yet. See First steps to send one.',
  noMatch: 'No matching events. Clear the filters or widen the time range.',
  types: {
    LinuxKernelTrap: 'Trap',
    LinuxFatalSignal: 'Fatal signal',
    LinuxSuppressedCallback: 'Suppressed',
    RegisterProbe: 'Register probe',
    ConfigMismatch: 'Config mismatch',
  } as Readonly<Record<string, string>>,
  columns: {
    time: 'Time',
    type: 'Type',
    host: 'Host',
    program: 'Program',
    instruction: 'Instruction',
    stack: 'Stack',
    details: 'Details',
  },
  onHost: (hostname: string) => ` on ${hostname}`,
  ofProgram: (program: string) => ` of ${program}`,
  details: {
    suppressed: (count: string, printer: string) => `${count} messages of ${printer} not logged`,
    mismatch: (key: string, observed: string, expected: string) => `${key} is ${observed}, expected ${expected}`,
    trap: 'trap',
    at: (address: string) => ` at ${address}`,
    in: (file: string) => ` in ${file}`,
  },
  filters: {
    label: 'Filters',
    names: {
      type: 'Type',
      hostname: 'Host',
      procname: 'Program',
      file: 'File',
      register: 'Register',
      executable: 'Executable',
      unit: 'Unit',
      container: 'Container',
      pod: 'Pod',
      detection: 'Evidence of',
    },
  },
  facets: {
    show: 'Show types, hosts, programs and files',
    hide: 'Hide types, hosts, programs and files',
    loading: 'Loading the counts',
    type: 'Type',
    host: 'Host',
    program: 'Program',
    file: 'File',
    none: 'none',
    missing: { type: 'no type', hostname: 'no host', procname: 'no program', file: 'no file' },
    chosen: (value: string) => `✓ ${value}`,
    fewer: 'Show fewer',
    more: (count: number) => `Show ${numberText(count)} more`,
  },
  histogram: {
    label: 'events',
    count: (count: number) => counted(count, 'event'),
    total: (count: number, timeSpan: string, step: string) =>
      `${counted(count, 'event')} ${timeSpan} · ${step} per bar`,
    totalOfChart: (count: number, timeSpan: string, step: string) =>
      `Chart, ${timeSpan.toLowerCase()}: ${counted(count, 'event')} · ${step} per bar`,
    zoomHint: 'Drag to zoom',
    /** Crashes of the detection by which the events are filtered. */
    crashes: (count: number) => ` · ${counted(count, 'crash', 'crashes')}`,
  },
  facts: {
    title: 'Facts',
    time: 'Time',
    host: 'Host',
    program: 'Program',
    details: 'Details',
    instructionPointer: 'Instruction pointer',
    stackPointer: 'Stack pointer',
    location: 'Accessed address',
    mappingStart: 'Mapping start',
    received: 'Received',
    id: 'ID',
    nearbyOnHost: 'Events on this host ±1 min',
    nearby: 'All events ±1 min',
    detections: 'Detections on this host',
  },
  raw: { title: 'Raw event (V1)', label: 'V1 event' },
} as const);
