import { type Command, InvalidArgumentError } from 'commander';

/** Descriptions of the filters of the HTTP API for the help. */
const MEANING = {
  from: 'start: RFC 3339, or a time ago such as 90s, 15m, 24h, 7d',
  to: 'end (exclusive): RFC 3339, or a time ago',
  type: 'type of event, such as LinuxKernelTrap',
  hostname: 'name of the host',
  procname: 'name of the program',
  file: 'mapped file of the crash',
  rule: 'id of the rule',
  campaign: 'id of a campaign detection: returns it and its member detections; null: not in a campaign',
  severity: 'info, low, medium, high or critical',
  status: 'of a detection: new, acknowledged or closed; of a dead letter: open or redriven',
  verdict: 'true_positive, false_positive or benign; null: none',
  assignee: 'name of an analyst; null: not assigned',
  register: 'probed register',
  executable: 'path of the executable',
  parent: 'executable of the parent process, or its name if the executable is unknown',
  unit: 'systemd unit',
  container: 'id of the container',
  pod: 'uid of the Kubernetes pod',
  detection: 'id of a detection: returns it, or its evidence',
  code: 'rejection code, such as malformed_json',
  q: 'search: text in any field, FIELD:VALUE, FIELD>=VALUE, and, or, not, parentheses',
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
    'exclude records with this value; several values joined by commas',
    (text: string, before: Readonly<Record<string, string>> = {}) => {
      const [filter = '', ...values] = text.split('=');
      if (values.length === 0 || !filters.some((name) => name === filter))
        throw new InvalidArgumentError(`Must be FILTER=VALUE with one of ${filters.join(', ')}.`);
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
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('Must be a positive whole number.');
  return Number(text);
}
