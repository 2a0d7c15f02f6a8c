import type { U64 } from '#schemas/events/event.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { eventColumns } from '../../formats/event-columns.ts';
import { FIELD_NAMES, fieldByName, type JudgedEvent, judgedEvent } from './event-fields.ts';
import { MAX_CASE_EVENTS, MAX_CASES, MAX_TIMESPAN_SECONDS } from './limits.ts';
import { describe, integer, items, mapping, onlyKeys, optionalText, seconds } from './located-values.ts';
import { type Entry, type Located, refuse } from './located-yaml.ts';

/** A test case in a rule file: events, and the number of detections that they cause. */
export interface RuleCase {
  readonly name: string;
  readonly line: number;
  readonly events: readonly CaseEvent[];
  readonly detections: number;
}

export interface CaseEvent {
  /** Seconds after the start of the case. */
  readonly at: number;
  readonly event: JudgedEvent;
}

/** Start of every case: 2026-01-01T00:00:00Z. */
export const CASE_BEGIN_SECONDS = 1_767_225_600;

const SCHEDULE = ['at', 'repeat', 'every'];
const EMPTY = eventColumns({ type: 'ConfigMismatch', key: '', expected_value: '', observed_value: '' });
const NO_COLUMNS = { ...EMPTY, key: null, expected_value: null, observed_value: null };

/** Parses the section `tests` of a rule file. Throws `RefusedRule`. */
export function readCases(entry: Entry | undefined, budget = { events: MAX_CASE_EVENTS }): readonly RuleCase[] {
  if (entry === undefined) return [];
  const cases = items(entry.value);
  if (cases.length > MAX_CASES) refuse(entry, `${cases.length} cases, at most ${MAX_CASES}`);
  return cases.map((one) => {
    const map = mapping(one, 'a case');
    onlyKeys(map, ['name', 'events', 'detections']);
    const [events, detections] = [map.get('events'), map.get('detections')];
    if (events === undefined || detections === undefined)
      return refuse(one, 'a case has `events` and `detections`, the number of detections they make');
    const name = optionalText(map.get('name'), 200) ?? `case on line ${one.line}`;
    const read = items(events.value).flatMap((event) => readCaseEvents(event, budget));
    return { name, line: one.line, events: read, detections: integer(detections.value, 0, MAX_CASE_EVENTS) };
  });
}

function readCaseEvents(at: Located, budget: { events: number }): CaseEvent[] {
  const map = mapping(at, 'an event of a case');
  const begin = offset(map.get('at'));
  const every = offset(map.get('every'));
  const repeat = map.get('repeat');
  const times = repeat === undefined ? 1 : integer(repeat.value, 1, MAX_CASE_EVENTS);
  budget.events -= times;
  if (budget.events < 0) refuse(at, `the cases have more than ${MAX_CASE_EVENTS} events`);
  const event = map.has('event') ? wholeEvent(map, at) : flatEvent(map);
  return Array.from({ length: times }, (_, i) => ({ at: begin + i * every, event }));
}

function offset(entry: Entry | undefined): number {
  if (entry === undefined || entry.value.value === 0) return 0;
  return typeof entry.value.value === 'number'
    ? integer(entry.value, 0, MAX_TIMESPAN_SECONDS)
    : seconds(entry.value, 30 * 86_400);
}

/** Parses an event given by its relevant fields. */
function flatEvent(map: ReadonlyMap<string, Entry>): JudgedEvent {
  const columns: Record<string, unknown> = { ...NO_COLUMNS, type: 'LinuxKernelTrap' };
  let hostname: string | null = 'host-1';
  for (const [name, entry] of map) {
    if (SCHEDULE.includes(name)) continue;
    const field = fieldByName(name);
    if (field === undefined)
      refuse(entry, `there is no field ${JSON.stringify(name.slice(0, 60))}: fields are ${FIELD_NAMES.join(', ')}`);
    if (name.includes('.')) refuse(entry, `${name} needs the whole event: give it as \`event\`, as it stands in V1`);
    const value =
      entry.value.value === null ? null : field.kind === 'number' ? wholeNumber(entry.value) : textOf(entry.value);
    if (name === 'hostname') hostname = value as string | null;
    else columns[name] = value;
  }
  return { hostname, columns: columns as unknown as JudgedEvent['columns'], body: undefined };
}

function wholeNumber(at: Located): U64 {
  const text = String(at.value);
  if (!/^(?:0x[0-9a-f]{1,16}|\d{1,20})$/i.test(text)) refuse(at, `must be a whole number (got ${describe(at)})`);
  const exact = BigInt(text);
  return exact <= Number.MAX_SAFE_INTEGER ? Number(exact) : exact;
}

function textOf(at: Located): string {
  return typeof at.value === 'string' ? at.value : refuse(at, `must be a text (got ${describe(at)})`);
}

/** Parses a whole event: the member `event` of V1, without the other members. */
function wholeEvent(map: ReadonlyMap<string, Entry>, at: Located): JudgedEvent {
  onlyKeys(map, [...SCHEDULE, 'hostname', 'event']);
  const hostname = optionalText(map.get('hostname'), 255) ?? 'host-1';
  const event = plain((map.get('event') as Entry).value);
  const timestamp = formatInstant({ seconds: CASE_BEGIN_SECONDS, nanos: 0 });
  const accepted = readEvent(stringifyExact({ version: 'V1', timestamp, hostname, event }), { signalDialect: 'short' });
  if (!accepted.ok) return refuse(at, `not a V1 event: ${accepted.message} at ${accepted.path}`);
  return judgedEvent(hostname, accepted.event.event);
}

function plain({ value }: Located): unknown {
  if (value instanceof Map)
    return Object.fromEntries(
      [...(value as ReadonlyMap<string, Entry>)].map(([name, entry]) => [name, plain(entry.value)]),
    );
  return Array.isArray(value) ? (value as readonly Located[]).map(plain) : value;
}
