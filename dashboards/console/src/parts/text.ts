import type { FigureSign } from '#schemas/api/figure-conditions.ts';
import type { Role } from '#schemas/api/role-order.ts';
import type { Severity } from '#schemas/detection-terms.ts';
import { catalogue } from '../language/catalogue.ts';
import { numberText } from '../language/numbers.ts';
import { counted } from './counted.ts';

/** Displayed signs of conditions on figures. */
const SIGNS: Readonly<Record<FigureSign, string>> = { '>=': '≥', '<=': '≤', '!=': '≠', '=': '=' };

/** All texts of the components that several pages share. */
export const PARTS_TEXT = catalogue('parts', {
  completions: 'Completions',
  severities: { info: 'Info', low: 'Low', medium: 'Medium', high: 'High', critical: 'Critical' } satisfies Record<
    Severity,
    string
  >,
  roles: { user: 'User', analyst: 'Analyst', admin: 'Administrator' } satisfies Record<Role, string>,
  operator: 'Operator',
  unknownHost: 'unknown host',
  close: 'Close',
  cancel: 'Cancel',
  loading: 'Loading',
  loadingPage: 'Loading the page',
  loadingPlot: 'Loading the plot',
  loadingNamed: (name: string) => `Loading ${name}`,
  adminsOnly: {
    title: 'Administrators only',
    hint: (role: string) => `You need the Administrator role to see this page. Your role is ${role}.`,
  },
  notFound: {
    title: 'Page not found',
    hint: 'The address is wrong, or the resource was removed.',
    home: 'Go to the start page',
  },
  failure: {
    search: 'Search:',
    line: (line: number) => `line ${line}: `,
    console: 'Reload the page. If the error persists, report it.',
    retry: 'Retry',
    automatic: 'The console retries when the server responds.',
    request: 'Request ID',
    toast: (message: string, advice: string) => `${message}. ${advice}`,
  },
  copy: {
    action: 'Copy',
    done: 'Copied',
    named: (label: string) => `Copy: ${label}`,
    value: (label: string) => `Copy ${label}`,
    unavailable: 'The browser blocks copying. Select the text and copy it.',
  },
  secret: {
    title: 'Your API key',
    hint: 'The key is shown only once. Store it in a password manager; if you lose it, create another.',
    label: 'API key',
  },
  conflict: {
    title: 'Another user changed this while you were editing. Your change is not saved',
    overwrite: 'Overwrite',
    keepTheirs: 'Keep their version',
    changes: 'Changes of the other user',
    noChanges: 'The content is the same as before.',
  },
  diff: { same: 'No differences.' },
  list: {
    loading: (label: string) => `Loading ${label.toLowerCase()}…`,
    loaded: (count: number) => `${numberText(count)} loaded, scroll for more`,
    total: (count: number) => `Total: ${numberText(count)}`,
    ofAllTime: (text: string) => `${text} (all time)`,
    loadFailed: 'Loading more failed. Retry',
  },
  download: {
    action: 'Download',
    all: 'All matching',
    latest: (count: number) => `Latest ${numberText(count)}`,
    formats: {
      json: 'JSON',
      ndjson: 'NDJSON',
      csv: 'CSV',
      v1: 'V1 events',
      ecs: 'ECS',
      cef: 'CEF',
      ocsf: 'OCSF',
      parquet: 'Parquet',
    } as Readonly<Record<string, string>>,
  },
  histogram: {
    empty: (nothing: string) => `${nothing} over time`,
    /** `total`: the number with its noun. */
    description: (total: string, max: number, at: string, step: string) =>
      `${total} over time; maximum ${max} in the ${step} from ${at}`,
  },
  series: {
    asTable: 'As a table',
    table: (title: string) => `${title}, table`,
    time: 'Time',
    noData: 'No data',
    value: (label: string, value: string) => `${label}: ${value}`,
  },
  time: {
    label: 'Time',
    all: 'All time',
    custom: 'Custom range',
    from: 'From',
    to: 'To',
    ranges: {
      '1h': 'Last hour',
      '24h': 'Last 24 hours',
      '7d': 'Last 7 days',
      '30d': 'Last 30 days',
      '365d': 'Last year',
    },
    day: (day: string, month: string) => `${day} ${month}`,
    within: {
      '1h': 'in the last hour',
      '24h': 'in the last 24 hours',
      '7d': 'in the last 7 days',
      '30d': 'in the last 30 days',
      '365d': 'in the last year',
    },
    between: (from: string, to: string) => `from ${from} to ${to}`,
    since: (from: string) => `since ${from}`,
    until: (to: string) => `until ${to}`,
    total: 'in total',
    inUtc: (label: string) => `${label} (UTC)`,
    example: '1 Mar 2026 09:05',
    calendar: 'Open calendar',
    notUnderstood: 'Enter a date and time such as 1 Mar 2026 09:05 or 2026-03-01 09:05',
    tooltip: (ago: string, at: string) => `${ago} · ${at}`,
  },
  filter: {
    exact: 'exact value',
    any: 'Any',
    several: (count: number) => `${numberText(count)} selected`,
    named: (label: string, text: string) => `${label}: ${text}`,
    clear: 'Clear',
    chips: 'Further filters',
    included: (name: string, value: string) => `${name}: ${value}`,
    excluded: (name: string, value: string) => `${name} not ${value}`,
    condition: (name: string, sign: FigureSign, value: number) => `${name} ${SIGNS[sign]} ${numberText(value)}`,
    remove: (filter: string) => `Remove the filter ${filter}`,
  },
  /** Menu of a value. */
  value: {
    actions: (value: string) => `Actions for ${value}`,
    named: (label: string, value: string) => `${label}: ${value}`,
    column: 'Values',
    choices: {
      for: 'Filter for this value',
      out: 'Filter out this value',
      atLeast: 'Filter for this or more',
      atMost: 'Filter for this or less',
      from: 'Filter from this time',
      until: 'Filter up to this time',
    },
    copy: 'Copy value',
    open: {
      detection: 'Open detection',
      case: 'Open case',
      rule: 'Open rule',
      workflow: 'Open workflow',
      agent: 'Open agent',
      output: 'Open output',
      user: 'Open user',
    },
    openHost: 'Open host',
    openProgram: 'Open program',
    relatedEvents: 'Related events',
  },
  undo: { action: 'Undo', key: 'z', shortcut: 'Undo the last change (within 10 seconds)' },
  process: {
    executable: 'Executable',
    buildId: 'Build ID',
    uid: 'User ID',
    parent: 'Parent process',
    unit: 'Unit',
    container: 'Container',
    pod: 'Pod',
  },
  search: {
    label: 'Search',
    help: 'Search syntax',
    example: 'procname:nginx',
    columns: { write: 'Search', finds: 'Finds' },
    /** Searches with their meaning. */
    examples: [
      ['nginx', 'the word in any field'],
      ['"stack smashing"', 'text with spaces'],
      ['hostname:web-1', 'the exact value'],
      ['hostname:web-*', 'a pattern: * matches any text, ? one character'],
      ['ip:0x400000..0x4fffff', 'a range, ends included'],
      ['time>=2026-03-01', 'a day or an RFC 3339 time'],
      ['procname!=sshd', 'other values, or no value'],
      ['file:null', 'no value'],
      ['a b, a or b, not a, (a or b) c', 'both, either, excluding, grouping'],
    ],
    fields: (fields: readonly string[]) => `Fields: ${fields.join(', ')}`,
  },
  exceptions: {
    created: (silenced: number | null) =>
      silenced === null
        ? 'Exception created. Matching open detections are silenced within seconds.'
        : silenced === 0
          ? 'Exception created. No open detection matches it.'
          : `Exception created. ${counted(silenced, 'open detection was', 'open detections were')} silenced.`,
    approved: (silenced: number | null) =>
      silenced === null || silenced === 0
        ? 'Request approved. The exception is active.'
        : `Request approved. ${counted(silenced, 'open detection was', 'open detections were')} silenced.`,
    requested: 'Request sent. An administrator has to approve it; nothing is silenced yet.',
    preview: 'Preview of the exception',
    matches: (silenced: number, examined: number, complete: boolean, open: number) =>
      `Matches ${numberText(silenced)} of ${complete ? '' : 'the latest '}${counted(examined, 'detection')} (${numberText(open)} open).`,
    detection: (rule: string, procname: string | null, hostname: string | null) =>
      [procname === null ? rule : `${rule}: ${procname}`, ...(hostname === null ? [] : [`on ${hostname}`])].join(' '),
    latest: (count: number) => `Showing the latest ${count}.`,
  },
} as const);
