import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { PhoneLine } from '../../parts/phone-line.tsx';
import type { Column } from '../../parts/record-list.tsx';
import { listText } from '../../parts/time-words.ts';
import { visible } from '../../parts/visible.ts';

export type EventRecord = Answer<'get', '/api/events'>['data'][number];

const TYPE_WORDS: Readonly<Record<string, string>> = {
  LinuxKernelTrap: 'Trap',
  LinuxFatalSignal: 'Fatal signal',
  LinuxSuppressedCallback: 'Suppressed',
  RegisterProbe: 'Register probe',
  ConfigMismatch: 'Config mismatch',
};

export function typeText(type: string): string {
  return TYPE_WORDS[type] ?? type;
}

/** What an event says, in a few words. */
export function eventText({ hex, event: { event } }: EventRecord): string {
  const text = (name: string) => (typeof event[name] === 'string' ? event[name] : '');
  if (event.type === 'LinuxSuppressedCallback')
    return `${String(event.count)} lines of ${text('function_name')} not logged`;
  if (event.type === 'ConfigMismatch')
    return `${text('key')} is ${text('observed_value')}, expected ${text('expected_value')}`;
  if (event.type === 'LinuxFatalSignal') return text('signal');
  if (event.type !== 'LinuxKernelTrap') return text('message');
  const trap = event.trap as { readonly type?: string; readonly description?: string } | undefined;
  const at = hex.location === undefined ? '' : ` at ${hex.location}`;
  return `${trap?.description ?? trap?.type ?? 'trap'}${at}${text('file') === '' ? '' : ` in ${text('file')}`}`;
}

/** The program an event names: a dump's under another name. */
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
const address = (text: string | undefined) => <span className="tl-mono">{text ?? '–'}</span>;

const COLUMNS = {
  time: {
    id: 'time',
    header: 'Time',
    width: '9.8rem',
    wideOnly: true,
    cell: ({ time }) => (
      <Text size="sm" truncate>
        {exactTime(time)}
      </Text>
    ),
  },
  type: {
    id: 'type',
    header: 'Type',
    // Wider on a phone, where the time stands below it.
    width: 'clamp(7.2rem, 30rem - 50vw, 9rem)',
    cell: ({ time, event }) => (
      <>
        {small(typeText(event.event.type))}
        <PhoneLine>{exactTime(time)}</PhoneLine>
      </>
    ),
  },
  host: {
    id: 'host',
    header: 'Host',
    width: 'minmax(4rem, 2fr)',
    wideOnly: true,
    cell: ({ event: { hostname } }) => small(hostname),
  },
  program: {
    id: 'program',
    header: 'Program',
    // On a phone this is all that is left of the width: a share below 1 would leave some of it empty.
    width: 'minmax(4rem, 1fr)',
    cell: (record) => (
      <>
        {small(
          programOf(record),
          <Box component="span" hiddenFrom="sm">
            {record.event.hostname && ` on ${visible(record.event.hostname)}`}
          </Box>,
        )}
        <PhoneLine>{address(record.hex.ip)}</PhoneLine>
      </>
    ),
  },
  ip: { id: 'ip', header: 'Instruction', width: '9.2rem', cell: ({ hex }) => address(hex.ip) },
  what: {
    id: 'what',
    header: 'What',
    width: 'minmax(5rem, 2fr)',
    wideOnly: true,
    cell: (record) => small(eventText(record)),
  },
} as const satisfies Readonly<Record<string, Column<EventRecord>>>;

export const EVENT_COLUMNS: readonly Column<EventRecord>[] = [
  COLUMNS.time,
  COLUMNS.type,
  COLUMNS.host,
  COLUMNS.program,
  { ...COLUMNS.ip, wideOnly: true },
  COLUMNS.what,
];

/** Of the events a detection rests on, which are of one host and program. Both addresses are seen whole beside the decision. */
export const EVIDENCE_COLUMNS: readonly Column<EventRecord>[] = [
  COLUMNS.time,
  {
    id: 'what',
    header: 'What',
    width: 'minmax(7rem, 1fr)',
    cell: (record) => (
      <>
        {small(typeText(record.event.event.type))}
        <Text size="xs" c="dimmed" truncate lh={1.25} visibleFrom="sm">
          {visible(eventText(record))}
        </Text>
        <PhoneLine>{exactTime(record.time)}</PhoneLine>
      </>
    ),
  },
  { ...COLUMNS.ip, width: '9.4rem' },
  { id: 'sp', header: 'Stack', width: '9.4rem', wideOnly: true, cell: ({ hex }) => address(hex.sp) },
];
