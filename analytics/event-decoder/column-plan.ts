import type { EventType } from '#schemas/events/event.ts';
import type { ObjectPlan, Shape } from '#schemas/events/shapes/shape.ts';
import { signalOf } from '../formats/event-columns.ts';

/** Columns of integers that the module writes, by number. */
export const NUMBER_COLUMNS = ['pid', 'ip', 'sp', 'vmastart', 'vmasize', 'location', 'count', 'uid'] as const;
/** Columns of names that the module writes, by number. */
export const TEXT_COLUMNS = [
  ...['hostname', 'type', 'procname', 'file', 'trap', 'signal', 'function_name', 'level', 'facility'],
  ...['executable', 'build_id', 'unit', 'container', 'pod'],
] as const;

const emptyIsNull = (text: string): string | null => (text === '' ? null : text);

/** What a column stores for a text of the event. Other columns store the text. */
export const STORED_TEXT: Readonly<Record<string, (text: string) => string | null>> = {
  signal: signalOf,
  executable: emptyIsNull,
  build_id: emptyIsNull,
  unit: emptyIsNull,
  container: emptyIsNull,
  pod: emptyIsNull,
};

/** How a column is read from its member of the event. `name`: a text that the module has read as a name already. */
type Reading = 'text' | 'name' | 'number' | 'number32' | 'decimal' | 'register';

interface Source {
  readonly column: string;
  /** Path of the member in the event. */
  readonly path: string;
  readonly as: Reading;
}

/** Writes a column from a slot, or from a constant. */
export interface Step {
  readonly column: string;
  readonly as: Reading;
  readonly from: { readonly slot: number } | { readonly constant: string };
}

const source = (column: string, as: Reading, path = column): Source => ({ column, path: `event.${path}`, as });

const LOG_LINE: readonly Source[] = [
  { column: 'hostname', path: 'hostname', as: 'text' },
  source('type', 'text'),
  source('level', 'text'),
  source('facility', 'text'),
];

const PROCESS: readonly Source[] = [
  source('executable', 'text', 'process.executable'),
  source('build_id', 'text', 'process.build_id'),
  source('uid', 'number32', 'process.uid'),
  source('unit', 'text', 'process.unit'),
  source('container', 'text', 'process.container.id'),
  source('pod', 'text', 'process.pod.uid'),
];

const MAPPING: readonly Source[] = [
  source('file', 'text'),
  source('vmastart', 'number'),
  source('vmasize', 'number'),
  source('signal', 'text'),
];

const TRAP: readonly Source[] = [
  ...LOG_LINE,
  ...MAPPING,
  ...PROCESS,
  source('procname', 'text'),
  source('pid', 'number'),
  source('ip', 'number'),
  source('sp', 'number'),
];

/**
 * Returns the sources of the columns of an event, equal to `eventColumns` and the table `events`. Undefined for types
 * of events that detectors send rarely.
 */
function sourcesOf(event: EventType): readonly Source[] | undefined {
  switch (event.type) {
    case 'LinuxKernelTrap':
      // The kind of trap has a prefix, and depends on values of several members.
      if (event.errcode.access_mode === 'Kernel') return undefined;
      if (event.trap.type === 'Generic') return [...TRAP, source('trap', 'text', 'trap.description')];
      if (event.trap.type !== 'Segfault') return [...TRAP, source('trap', 'text', 'trap.type')];
      return [...TRAP, source('trap', 'text', 'trap.type'), source('location', 'number', 'trap.location')];
    case 'LinuxFatalSignal':
      return [
        ...LOG_LINE,
        ...MAPPING,
        ...PROCESS,
        source('procname', 'text', 'stack_dump.Comm'),
        source('pid', 'decimal', 'stack_dump.PID'),
        source('ip', 'register', 'stack_dump.RIP'),
        source('sp', 'register', 'stack_dump.RSP'),
      ];
    case 'LinuxSuppressedCallback':
      return [...LOG_LINE, source('function_name', 'text'), source('count', 'number')];
    default:
      return undefined;
  }
}

/** Returns the steps that write the columns of an event of the shape. Undefined if the module does not write them. */
export function planColumns(shape: Shape): readonly Step[] | undefined {
  const event = shape.root.children.find(({ name }) => name === 'event')?.plan.template;
  const sources = sourcesOf((event ?? shape.root.template.event) as unknown as EventType);
  return sources?.flatMap(({ column, path, as }): Step[] => {
    const member = memberAt(shape.root, path.split('.'));
    if (member === undefined) return [];
    if (!('slot' in member)) {
      return as === 'text' && typeof member.constant === 'string'
        ? [{ column, as, from: { constant: member.constant } }]
        : [];
    }
    // A member of another type than the reader of the column expects is null.
    const kind = shape.slots[member.slot];
    const isNumber = kind === 'uint64' || kind === 'integer';
    if (isNumber !== (as === 'number' || as === 'number32')) return [];
    return [{ column, as: kind === 'name' ? 'name' : as, from: member }];
  });
}

/** Returns the slot or the constant value of a member. */
function memberAt(plan: ObjectPlan, path: readonly string[]): { slot: number } | { constant: unknown } | undefined {
  const [name = '', ...rest] = path;
  const index = plan.names.indexOf(name);
  if (index >= 0) return rest.length === 0 ? { slot: plan.slots[index] as number } : undefined;
  const child = plan.children.find((one) => one.name === name);
  if (child !== undefined) return rest.length === 0 ? undefined : memberAt(child.plan, rest);
  let value: unknown = plan.template;
  for (const member of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined;
    value = (value as Record<string, unknown>)[member];
  }
  return { constant: value };
}
