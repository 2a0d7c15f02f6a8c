import type { EventType, U64 } from '#schemas/events/event.ts';
import { processFacts } from '#schemas/events/process-facts.ts';
import { type EventColumns, eventColumns } from '../../formats/event-columns.ts';
import { parseRegister } from '../../formats/hexadecimal.ts';

/** An event as a flat set of fields, for user rules. */
export interface JudgedEvent {
  readonly hostname: string | null;
  readonly columns: Readonly<EventColumns>;
  /** Undefined if only the columns are known: in the cases of a rule, and in back-tests without other fields. */
  readonly body: EventType | undefined;
}

export type FieldValue = string | U64 | boolean | null;

/** A field that rules can use. */
export interface EventField {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'boolean';
  /** Column of the table `events` with the same content; null if only the event itself has the field. */
  readonly column: string | null;
  read(event: JudgedEvent): FieldValue;
}

type ColumnName = keyof EventColumns;

const TEXT_COLUMNS = [
  'type',
  'procname',
  'file',
  'trap',
  'signal',
  'function_name',
  'level',
  'facility',
  'executable',
  'build_id',
  'unit',
  'container',
  'pod',
] as const;
const NUMBER_COLUMNS = ['pid', 'ip', 'sp', 'vmastart', 'vmasize', 'location', 'count', 'uid'] as const;
/** Fields of a changed setting. The table has them only in the event's JSON. */
const UNSTORED_TEXTS = ['key', 'expected_value', 'observed_value'] as const;

function columnField(name: ColumnName, kind: 'text' | 'number', column: string | null): EventField {
  return { name, kind, column, read: ({ columns }) => columns[name] };
}

const ERROR_CODES = {
  reason: 'text',
  access_type: 'text',
  access_mode: 'text',
  instruction_fetch: 'boolean',
} as const;

const FIELDS: ReadonlyMap<string, EventField> = new Map(
  [
    { name: 'hostname', kind: 'text', column: 'hostname', read: ({ hostname }: JudgedEvent) => hostname } as const,
    ...TEXT_COLUMNS.map((name) => columnField(name, 'text', name)),
    ...NUMBER_COLUMNS.map((name) => columnField(name, 'number', name)),
    ...UNSTORED_TEXTS.map((name) => columnField(name, 'text', null)),
    { name: 'parent', kind: 'text', column: null, read: parentOf } as const,
    ...Object.entries(ERROR_CODES).map(
      ([name, kind]): EventField => ({
        name: `errcode.${name}`,
        kind,
        column: null,
        read: ({ body }) => (body?.type === 'LinuxKernelTrap' ? body.errcode[name as keyof typeof ERROR_CODES] : null),
      }),
    ),
  ].map((field) => [field.name, field]),
);

/**
 * Returns the executable of the parent process, or its name if the executable is unknown. The table has it only in the
 * event's JSON.
 */
function parentOf({ body, columns }: JudgedEvent): string | null {
  // The test cases of a rule provide only the fields.
  if (body === undefined) return (columns as { readonly parent?: string | null }).parent ?? null;
  const facts = processFacts(body);
  return facts?.parentExecutable ?? facts?.parentName ?? null;
}

const REGISTER = /^registers\.([A-Za-z][A-Za-z0-9]{0,15})$/;

/** Names of all fields, for messages and documentation. */
export const FIELD_NAMES: readonly string[] = [...FIELDS.keys(), 'registers.NAME'];

/** Returns the field with this name, or undefined. */
export function fieldByName(name: string): EventField | undefined {
  const found = FIELDS.get(name);
  if (found !== undefined) return found;
  const register = REGISTER.exec(name)?.[1];
  if (register === undefined) return undefined;
  return {
    name,
    kind: 'number',
    column: null,
    read: ({ body }) =>
      (body?.type === 'LinuxFatalSignal' ? parseRegister(body.stack_dump[register]) : undefined) ?? null,
  };
}

/** Converts an event to the form that user rules use. */
export function judgedEvent(hostname: string | null, body: EventType): JudgedEvent {
  return { hostname, columns: eventColumns(body), body };
}
