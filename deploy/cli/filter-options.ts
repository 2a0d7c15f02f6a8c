import { type Command, InvalidArgumentError } from 'commander';

/** Descriptions of the filters of the HTTP API for the help. */
const MEANING = {
  from: 'not before: RFC 3339, or how long ago: 90s, 15m, 24h, 7d',
  to: 'before: RFC 3339, or how long ago',
  type: 'type of event, e.g. LinuxKernelTrap',
  hostname: 'name of the host',
  procname: 'name of the program',
  file: 'file in which it happened',
  rule: 'id of the rule',
  campaign: 'id of the detection of a campaign: itself, and detections that belong to it; null: in no campaign',
  severity: 'info, low, medium, high or critical',
  status: 'of a detection: new, acknowledged or closed; of a dead letter: open or redriven',
  verdict: 'true_positive, false_positive or benign; null: none',
  assignee: 'name of an analyst; null: not assigned',
  register: 'register that is probed',
  executable: 'path of the executable',
  parent: 'executable of the parent process, or its name where that is not known',
  unit: 'unit of systemd',
  container: 'id of the container',
  pod: 'uid of the Kubernetes pod',
  detection: 'id of a detection: itself, or the events that are its evidence',
  code: 'code of the reason, e.g. malformed_json',
  q: 'search: text anywhere in it, FIELD:VALUE, FIELD>=VALUE, and, or, not, parentheses',
} as const;
type Filter = keyof typeof MEANING;

const COMMON = [
  'from',
  'to',
  'hostname',
  'procname',
  'file',
  'register',
  'executable',
  'unit',
  'container',
  'pod',
  'detection',
  'q',
] as const;
export const FILTERS = {
  events: [...COMMON, 'type'],
  detections: [...COMMON, 'parent', 'rule', 'campaign', 'severity', 'status', 'verdict', 'assignee'],
  'dead-letters': ['from', 'to', 'code', 'status', 'q'],
} as const satisfies Record<string, readonly Filter[]>;

/** Filters whose values can be excluded. */
export const EXCLUDABLE = {
  events: FILTERS.events.filter(hasValues),
  detections: FILTERS.detections.filter(hasValues),
  'dead-letters': [],
} as const satisfies Record<string, readonly Filter[]>;

function hasValues(filter: Filter): boolean {
  return !['from', 'to', 'detection', 'q'].includes(filter);
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** Converts `15m` and similar to an instant. Any other text is passed to the API, which validates it. */
function instant(text: string): string {
  const ago = /^(\d{1,6})([smhd])$/.exec(text);
  if (!ago) return text;
  const seconds = Number(ago[1]) * SECONDS[ago[2] as keyof typeof SECONDS];
  return new Date(Date.now() - seconds * 1000).toISOString();
}

/** Adds an option for each filter. */
export function addFilters(command: Command, filters: readonly Filter[]): Command {
  for (const filter of filters) {
    const flags = `--${filter} <${filter === 'q' ? 'text' : filter}>`;
    if (filter === 'from' || filter === 'to') command.option(flags, MEANING[filter], instant);
    else command.option(flags, MEANING[filter]);
  }
  return command;
}

/** Adds the repeatable option `--exclude FILTER=VALUE`. */
export function addExclude(command: Command, filters: readonly Filter[]): Command {
  return command.option(
    '--exclude <filter=value>',
    'without records that have this value; several values are joined by commas',
    (text: string, before: Readonly<Record<string, string>> = {}) => {
      const [filter = '', ...values] = text.split('=');
      if (values.length === 0 || !filters.some((name) => name === filter))
        throw new InvalidArgumentError(`FILTER=VALUE is expected, with one of ${filters.join(', ')}.`);
      const name = `exclude.${filter}`;
      const value = values.join('=');
      return { ...before, [name]: before[name] === undefined ? value : `${before[name]},${value}` };
    },
  );
}

/** Returns the given filters by their names in the query string. */
export function givenFilters(
  filters: readonly Filter[],
  options: Readonly<Record<string, unknown>>,
): Record<string, string> {
  return Object.fromEntries(
    filters.flatMap((filter) => (typeof options[filter] === 'string' ? [[filter, options[filter]]] : [])),
  );
}

/** Parses a number of records: a positive integer. */
export function count(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('A positive whole number is expected.');
  return Number(text);
}
