import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import type { Column } from '../../parts/list/record-list.tsx';
import { PhoneLine } from '../../parts/phone-line.tsx';
import { listText } from '../../parts/time/time-words.ts';
import { rowValuesColumn } from '../../parts/values/row-values.tsx';
import { ValueActions } from '../../parts/values/value-actions.tsx';
import { visible } from '../../parts/visible.ts';
import { EVENTS_TEXT } from './text.ts';

export type EventRecord = Answer<'get', '/api/events'>['data'][number];

const TEXT = EVENTS_TEXT.details;
const HEADERS = EVENTS_TEXT.columns;

export function typeText(type: string): string {
  return EVENTS_TEXT.types[type] ?? type;
}

/** Returns a short description of an event. */
export function eventText({ hex, event: { event } }: EventRecord): string {
  const text = (name: string) => (typeof event[name] === 'string' ? event[name] : '');
  if (event.type === 'LinuxSuppressedCallback') return TEXT.suppressed(String(event.count), text('function_name'));
  if (event.type === 'ConfigMismatch')
    return TEXT.mismatch(text('key'), text('observed_value'), text('expected_value'));
  if (event.type === 'LinuxFatalSignal') return text('signal');
  if (event.type !== 'LinuxKernelTrap') return text('message');
  const trap = event.trap as { readonly type?: string; readonly description?: string } | undefined;
  return [
    trap?.description ?? trap?.type ?? TEXT.trap,
    hex.location === undefined ? '' : TEXT.at(hex.location),
    text('file') === '' ? '' : TEXT.in(text('file')),
  ].join('');
}

/** Returns the program of an event. A stack dump has a separate field for it. */
export function programOf({ event: { event } }: EventRecord): string | undefined {
  if (typeof event.procname === 'string') return event.procname;
  const dump = event.stack_dump;
  const name = typeof dump === 'object' && dump !== null && 'Comm' in dump ? dump.Comm : undefined;
  return typeof name === 'string' ? name : undefined;
}

const exactTime = (time: string) => (
  <time dateTime={time} title={time}>
    {listText(new Date(time))}
  </time>
);
const small = (text: string | null | undefined, after?: ReactNode) => (
  <Text size="sm" truncate lh={1.25} title={visible(text ?? '')}>
    {visible(text ?? '–')}
    {after}
  </Text>
);
const subjectOf = (record: EventRecord) => ({ hostname: record.event.hostname, procname: programOf(record) });
/** A value of an event with its menu. */
const value = (
  record: EventRecord,
  name: 'type' | 'hostname' | 'procname',
  text: string | null | undefined,
  content: ReactNode = small(text),
) => (
  <ValueActions
    name={name}
    value={name === 'type' ? record.event.event.type : text}
    shown={text}
    list="/events"
    subject={subjectOf(record)}
    inRow
  >
    {content}
  </ValueActions>
);
const address = (record: EventRecord, name: 'ip' | 'sp') => (
  <ValueActions name={name} by="term" value={record.hex[name]} list="/events" subject={subjectOf(record)} inRow>
    <span className="tl-mono">{record.hex[name] ?? '–'}</span>
  </ValueActions>
);
const timeValue = (record: EventRecord) => (
  <ValueActions
    name="time"
    by="range"
    value={record.time}
    shown={() => listText(new Date(record.time))}
    list="/events"
    subject={subjectOf(record)}
    inRow
  >
    {exactTime(record.time)}
  </ValueActions>
);
/** Text that can be copied. */
const detailsValue = (record: EventRecord, content: ReactNode) => (
  <ValueActions name="details" value={eventText(record)} subject={subjectOf(record)} inRow>
    {content}
  </ValueActions>
);

const COLUMNS = {
  time: {
    id: 'time',
    header: HEADERS.time,
    width: '9rem',
    wideOnly: true,
    cell: timeValue,
  },
  type: {
    id: 'type',
    header: HEADERS.type,
    // Wider on a phone, where this cell also contains the time.
    width: 'clamp(7.2rem, 30rem - 50vw, 9rem)',
    cell: (record) => (
      <>
        {value(record, 'type', typeText(record.event.event.type))}
        <PhoneLine>{exactTime(record.time)}</PhoneLine>
      </>
    ),
  },
  host: {
    id: 'host',
    header: HEADERS.host,
    width: 'minmax(4rem, 2fr)',
    wideOnly: true,
    cell: (record) => value(record, 'hostname', record.event.hostname),
  },
  program: {
    id: 'program',
    header: HEADERS.program,
    // Takes the remaining width on a phone. A fraction below 1 would leave a part of it empty.
    width: 'minmax(4rem, 1fr)',
    cell: (record) => (
      <>
        <Box visibleFrom="sm">{value(record, 'procname', programOf(record))}</Box>
        <Box hiddenFrom="sm">
          {small(programOf(record), record.event.hostname && EVENTS_TEXT.onHost(visible(record.event.hostname)))}
        </Box>
        <PhoneLine>
          <span className="tl-mono">{record.hex.ip ?? '–'}</span>
        </PhoneLine>
      </>
    ),
  },
  ip: { id: 'ip', header: HEADERS.instruction, width: '9.2rem', cell: (record) => address(record, 'ip') },
  details: {
    id: 'details',
    header: HEADERS.details,
    width: 'minmax(5rem, 3fr)',
    wideOnly: true,
    cell: (record) => detailsValue(record, small(eventText(record))),
  },
} as const satisfies Readonly<Record<string, Column<EventRecord>>>;

/** Row menu for phones, with all values of a row. */
const ROW_VALUES = rowValuesColumn<EventRecord>({
  list: '/events',
  titleOf: (record) => typeText(record.event.event.type),
  subjectOf,
  valuesOf: (record) => [
    { name: 'type', label: HEADERS.type, value: record.event.event.type, shown: typeText(record.event.event.type) },
    { name: 'hostname', label: HEADERS.host, value: record.event.hostname },
    { name: 'procname', label: HEADERS.program, value: programOf(record) },
    { name: 'ip', label: HEADERS.instruction, value: record.hex.ip, by: 'term' },
    { name: 'sp', label: HEADERS.stack, value: record.hex.sp, by: 'term' },
    { name: 'time', label: HEADERS.time, value: record.time, shown: listText(new Date(record.time)), by: 'range' },
    { name: 'details', label: HEADERS.details, value: eventText(record), list: null },
  ],
});

export const EVENT_COLUMNS: readonly Column<EventRecord>[] = [
  COLUMNS.time,
  COLUMNS.type,
  COLUMNS.host,
  COLUMNS.program,
  { ...COLUMNS.ip, wideOnly: true },
  COLUMNS.details,
  ROW_VALUES,
];

/** Details column, with the time below on a phone. `besides`: text of a column that is hidden on phones. */
function evidenceDetails(besides: (record: EventRecord) => string = () => ''): Column<EventRecord> {
  return {
    id: 'details',
    header: HEADERS.details,
    width: 'minmax(7rem, 2fr)',
    cell: (record) => (
      <>
        {value(
          record,
          'type',
          typeText(record.event.event.type),
          small(
            typeText(record.event.event.type),
            <Box component="span" hiddenFrom="sm">
              {besides(record)}
            </Box>,
          ),
        )}
        <Text size="xs" c="dimmed" truncate lh={1.25} visibleFrom="sm">
          {visible(eventText(record))}
        </Text>
        <PhoneLine>{exactTime(record.time)}</PhoneLine>
      </>
    ),
  };
}

const EVIDENCE: Readonly<Record<'ip' | 'sp', Column<EventRecord>>> = {
  ip: { ...COLUMNS.ip, width: '9.4rem' },
  sp: { id: 'sp', header: HEADERS.stack, width: '9.4rem', wideOnly: true, cell: (record) => address(record, 'sp') },
};

/**
 * Columns for the evidence of one program. All events have the same host and program, so both addresses fit next to the
 * decision.
 */
export const EVIDENCE_COLUMNS: readonly Column<EventRecord>[] = [
  COLUMNS.time,
  evidenceDetails(),
  EVIDENCE.ip,
  EVIDENCE.sp,
  ROW_VALUES,
];

/** Columns for the evidence of a campaign over several hosts. */
export const CAMPAIGN_COLUMNS: readonly Column<EventRecord>[] = [
  COLUMNS.time,
  { ...COLUMNS.host, width: 'minmax(5rem, 1fr)' },
  evidenceDetails(({ event: { hostname } }) => (hostname ? EVENTS_TEXT.onHost(visible(hostname)) : '')),
  EVIDENCE.ip,
  ROW_VALUES,
];

/** Columns for the evidence of a host, with several programs. */
export const HOST_COLUMNS: readonly Column<EventRecord>[] = [
  COLUMNS.time,
  {
    id: 'program',
    header: HEADERS.program,
    width: 'minmax(5rem, 0.8fr)',
    wideOnly: true,
    cell: (record) => value(record, 'procname', programOf(record)),
  },
  evidenceDetails((record) => EVENTS_TEXT.ofProgram(visible(programOf(record) ?? '–'))),
  EVIDENCE.ip,
  ROW_VALUES,
];
