import { catalogue } from '../../language/catalogue.ts';
import { numberText } from '../../language/numbers.ts';
import { counted } from '../../parts/counted.ts';

/** Every text of the list of detections. */
export const DETECTIONS_TEXT = catalogue('detections', {
  title: 'Detections',
  list: 'Detections',
  empty: 'No detections yet. New detections appear here.',
  noMatch: 'No matching detections. Clear the filters or widen the time range.',
  count: (count: number) => counted(count, 'detection'),
  /** Name of a detection: its rule, and what it was detected on. */
  name: (rule: string, procname: string | null, place: string) =>
    procname === null ? `${rule} on ${place}` : `${rule}: ${procname} on ${place}`,
  /** What a detection is about, without the name of its rule. */
  subject: (procname: string | null, place: string) => (procname === null ? place : `${procname} on ${place}`),
  /** The host, or the number of hosts of a campaign. */
  place: (hostname: string | null, hostsTotal: number) =>
    hostname ?? (hostsTotal > 0 ? counted(hostsTotal, 'host') : 'unknown host'),
  statuses: { new: 'New', acknowledged: 'Acknowledged', closed: 'Closed' },
  silenced: 'Silenced',
  columns: {
    select: 'Select',
    selectRow: (name: string) => `Select ${name}`,
    severity: 'Severity',
    detection: 'Detection',
    crashes: 'Crashes',
    status: 'Status',
    assignee: 'Assignee',
    lastSeen: 'Last seen',
  },
  logged: (logged: number, unlogged: number) => (unlogged === 0 ? numberText(logged) : `${numberText(logged)} logged`),
  notLogged: (unlogged: number) => `≥ ${numberText(unlogged)} not logged`,
  actions: {
    acknowledge: 'Acknowledge',
    close: 'Close…',
    assignToMe: 'Assign to me',
    clearSelection: 'Clear selection',
  },
  selection: 'Selected detections',
  selected: (count: number) => `${numberText(count)} selected`,
  keys: {
    next: 'Next row',
    previous: 'Previous row',
    open: 'Open the row',
    acknowledge: 'Acknowledge the selected rows, or the current row',
    close: 'Close the selected rows, or the current row',
    assignToMe: 'Assign the selected rows, or the current row, to me',
    select: 'Select or deselect the current row',
  },
  /** Line above the list: keys, and what they do. */
  keyHints: [
    { keys: ['j', 'k'], action: 'move' },
    { keys: ['a'], action: 'acknowledge' },
    { keys: ['c'], action: 'close' },
    { keys: ['m'], action: 'assign to me' },
    { keys: ['x'], action: 'select' },
  ],
  connection: {
    live: 'Live',
    connecting: 'Connecting…',
    off: 'Not live: the server refused the connection. Retrying every 30 s',
  },
  showNew: (count: number, mayNotMatch: boolean) =>
    `Show ${counted(count, 'new detection')}${mayNotMatch ? ' (may not match the search)' : ''}`,
  filters: {
    label: 'Filters',
    any: 'Any',
    status: 'Status',
    severity: 'Severity',
    rule: 'Rule',
    host: 'Host',
    program: 'Program',
    unit: 'Unit',
    container: 'Container',
    pod: 'Pod',
    executable: 'Executable',
    parent: 'Parent process',
    clear: 'Clear filters',
  },
  histogram: {
    loading: 'Loading the chart',
    zoomHint: 'Drag to zoom',
    label: 'detections',
    count: (count: number) => counted(count, 'detection'),
    total: (count: number, timeSpan: string) => `${counted(count, 'detection')} ${timeSpan}`,
    totalOfChart: (count: number, days: string) => `${counted(count, 'detection')} (chart: ${days.toLowerCase()})`,
    open: (count: number) => `${numberText(count)} open`,
    silenced: (count: number) => `${numberText(count)} silenced`,
  },
  saved: {
    label: 'Saved filters',
    all: 'All',
    newAndHigh: 'New and high',
    mine: 'Mine',
    silenced: 'Silenced',
    save: 'Save filters…',
    title: 'Save filters',
    name: 'Name',
    submit: 'Save',
    close: 'Close',
    done: (name: string) => `Filters saved as “${name}”.`,
    removeLabel: (name: string) => `Remove “${name}”`,
    removeTitle: (name: string) => `Remove “${name}”?`,
    remove: 'Remove',
    consequence: 'The saved filters are removed from this browser. Detections do not change.',
  },
  closeDialog: {
    title: (subject: string) => `Close ${subject}`,
    dismiss: 'Close dialog',
    verdict: 'Verdict',
    note: 'Note',
    noteHint: 'Replaces the current note',
    cancel: 'Cancel',
    submit: 'Close',
  },
  changed: (name: string, decision: string) => `${name}: ${decision}`,
  changedByOther: (decision: string) => `Not changed: the detection is now ${decision}`,
  outcome: {
    updated: (count: number) => `${numberText(count)} changed`,
    unchanged: (count: number) => `${numberText(count)} already up to date`,
    notFound: (count: number) => `${numberText(count)} not found`,
    skipped: (count: number) =>
      `${numberText(count)} skipped: another user changed ${count === 1 ? 'it, and it stays' : 'them, and they stay'} selected`,
  },
} as const);
