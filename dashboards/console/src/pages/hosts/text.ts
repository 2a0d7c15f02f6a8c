import { catalogue } from '../../language/catalogue.ts';
import { numberText } from '../../language/numbers.ts';
import { counted } from '../../parts/counted.ts';

/** All texts of the pages of hosts. */
export const HOSTS_TEXT = catalogue('hosts', {
  title: 'Hosts',
  list: 'Hosts',
  hostTitle: (hostname: string) => `Host ${hostname}`,
  search: 'Search hosts',
  name: 'Name',
  namePlaceholder: 'Part of the name',
  columns: {
    host: 'Host',
    program: 'Program',
    programs: 'Programs',
    lastEvent: 'Last event',
    events: 'Events',
    crashes: 'Crashes',
    openDetections: 'Open detections',
    risk: 'Risk',
  },
  figures: {
    events: 'Events',
    crashes: 'Crashes',
    programs: 'Programs',
    detections: 'Detections',
    openDetections: 'Open detections',
    risk: 'Risk',
  },
  risk: {
    levels: { Critical: 'Critical', High: 'High', Moderate: 'Moderate', Low: 'Low', Unknown: 'Minimal' },
    of: (normalised: number, level: string) => `${Math.round(normalised)} ${level}`,
    fact: 'Risk (0 to 100)',
  },
  unnamed: 'no host name',
  empty: 'No host has sent an event yet.',
  emptyRange: 'No host sent an event in this time range. Choose a longer one.',
  noMatch: 'No host in this time range matches the filters.',
  noMatchingProgram: 'No program in this time range matches the filters.',
  connect: 'Connect a detector',
  openCount: { none: 'none', of: (detections: number) => ` of ${numberText(detections)}` },
  showEvents: 'Show events',
  facts: {
    label: 'Key figures',
    loading: 'Loading the host',
    lastEvent: 'Last event',
    firstEvent: 'First event',
    events: 'Events',
    crashes: 'Crashes',
    inPrograms: (programs: number) => `in ${counted(programs, 'program')}`,
    openDetections: 'Open detections',
    noEvents: (timeSpan: string) => `This host sent no events ${timeSpan}. Choose a longer time range.`,
  },
  events: {
    title: 'Events over time',
    loading: 'Loading the events',
    summary: (events: number, timeSpan: string) => `${counted(events, 'event')} ${timeSpan}.`,
    series: {
      traps: 'Trap lines',
      signals: 'Fatal signals',
      suppressed: 'Messages suppressed by the kernel',
      others: 'Other events',
    },
  },
  detections: {
    title: 'Detections',
    list: 'Detections on the host',
    columns: { severity: 'Severity', rule: 'Rule', program: 'Program', status: 'Status', lastSeen: 'Last seen' },
    empty: 'No detections on this host.',
  },
  programs: {
    title: 'Programs',
    list: 'Programs on the host',
    empty: 'No event in this time range names a program.',
  },
} as const);
